package io.gatehouse.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Who may know whom: docs of the packages, made to hold. */
@AnalyzeClasses(
    packages = {"io.gatehouse.agent", "io.gatehouse.model"},
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String[] PURE = {
    "io.gatehouse.model..",
    "io.gatehouse.agent.flow..",
    "io.gatehouse.agent.walk..",
    "io.gatehouse.agent.prove..",
    "io.gatehouse.agent.state..",
    "io.gatehouse.agent.plan..",
    "io.gatehouse.agent.diff..",
    "io.gatehouse.agent.dhcp..",
    "io.gatehouse.agent.path.."
  };

  @ArchTest
  static final ArchRule pureCodeUsesOnlyPlainJava =
      classes()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.math",
              "java.time",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream",
              "org.jspecify.annotations",
              "io.gatehouse.model..",
              "io.gatehouse.agent.flow..",
              "io.gatehouse.agent.walk..",
              "io.gatehouse.agent.prove..",
              "io.gatehouse.agent.state..",
              "io.gatehouse.agent.plan..",
              "io.gatehouse.agent.diff..",
              "io.gatehouse.agent.dhcp..",
              "io.gatehouse.agent.path..")
          .because("a plan must be a function of its arguments");

  @ArchTest
  static final ArchRule pureCodeTouchesNoAmbientState =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              Thread.class,
              ThreadLocal.class,
              Runtime.class,
              Process.class,
              ProcessBuilder.class,
              java.util.Random.class,
              java.util.SplittableRandom.class,
              java.util.Timer.class,
              java.time.Clock.class)
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(System.class, "identityHashCode", Object.class)
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(java.util.UUID.class, "randomUUID")
          .because("time, chance and the host are arguments, or they cannot be tested");

  @ArchTest
  static final ArchRule modelKnowsNoProgram =
      noClasses()
          .that()
          .resideInAPackage("io.gatehouse.model..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.gatehouse.agent..", "io.gatehouse.proto..");

  @ArchTest
  static final ArchRule flowsKnowNoTenants =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.gatehouse.agent.flow..",
              "io.gatehouse.agent.walk..",
              "io.gatehouse.agent.trace..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.gatehouse.agent.state..",
              "io.gatehouse.model",
              "io.gatehouse.model.name..",
              "io.gatehouse.model.policy..");

  @ArchTest
  static final ArchRule devicesKnowNoTenants =
      classes()
          .that()
          .resideInAPackage("io.gatehouse.agent.device..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "org.slf4j..",
              "io.netty..",
              "com.fasterxml.jackson..",
              "com.sun.jna..",
              "io.gatehouse.agent.device..",
              "io.gatehouse.agent.flow..",
              "io.gatehouse.model.net..",
              "io.gatehouse.runtime..")
          .because("bytes and rows do not depend on whom they serve");

  @ArchTest
  static final ArchRule stagesDoNotKnowEachOther =
      slices()
          .matching(
              "io.gatehouse.agent.(plan|diff|observe|apply|report|subscribe|serve|prove|probe)..")
          .should()
          .notDependOnEachOther()
          .because("stages meet in state");

  @ArchTest
  static final ArchRule onlyTheEdgeSpeaksTheContract =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.gatehouse.agent.reconcile..",
              "io.gatehouse.agent.observe..",
              "io.gatehouse.agent.apply..",
              "io.gatehouse.agent.device..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.gatehouse.proto..", "io.grpc..");

  @ArchTest
  static final ArchRule observersDoNotWrite =
      noClasses()
          .that()
          .resideInAPackage("io.gatehouse.agent.observe..")
          .should()
          .callMethodWhere(
              com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                  com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching(
                      "transact|applyBundle|guard|setAdmin|setIpv6|replaceAddress|replaceRoute")))
          .because("only an applier writes");

  @ArchTest
  static final ArchRule noCycles = slices().matching("io.gatehouse.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesSayWhatTheyAreFor =
      classes()
          .should(
              new ArchCondition<JavaClass>("be in a package with @NullMarked") {
                @Override
                public void check(JavaClass found, ConditionEvents events) {
                  boolean marked = found.getPackage().isAnnotatedWith(NullMarked.class);
                  events.add(
                      new SimpleConditionEvent(
                          found, marked, found.getName() + " has no @NullMarked package-info"));
                }
              });
}
