MVN = mvn --batch-mode --no-transfer-progress
SCRIPTS = packaging/lab packaging/demo packaging/test packaging/bench packaging/bin/* .ci/run

.PHONY: check test format demo bench

# Format, warnings, Error Prone, NullAway, unit and architecture tests. No daemons, under two minutes.
check:
	shellcheck $(SCRIPTS)
	$(MVN) --quiet test

# Everything, with real daemons; as root.
test:
	packaging/test

format:
	$(MVN) --quiet spotless:apply

demo:
	packaging/demo

# Distributions and ratios, with real daemons; as root.
bench:
	packaging/bench
