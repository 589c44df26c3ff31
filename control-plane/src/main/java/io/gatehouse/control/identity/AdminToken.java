package io.gatehouse.control.identity;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateFirstToken;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateToken;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.identity.TokenText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in for the first operator: a one-time token in a file of mode 0600. The log tells the
 * file's name only. The file goes when its token has been used, withdrawn or has expired.
 */
public final class AdminToken {
  /** Who gets in first. */
  public static final IdentityName ADMIN = IdentityName.ofOperator("admin");

  private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
  private static final Duration LIFETIME = Duration.ofHours(24);
  private static final String ACTOR = "system/admin-token";

  private final Path file;

  /** A token in the directory of the authorities. */
  public AdminToken(Path directory) {
    this.file = directory.resolve("admin.token");
  }

  /** Makes a token if no operator has enrolled and none can; otherwise does nothing. */
  public void makeFirst(Sequencer sequencer, Instant now) throws IOException {
    tidy(sequencer::image, now);
    if (Files.exists(file)) {
      return;
    }
    try {
      make(sequencer, ADMIN, now, CreateFirstToken::new);
    } catch (RefusedException e) {
      LOG.debug("no token for the first operator: {}", e.reason());
    }
  }

  /**
   * Makes a token for an operator, whoever else has one.
   *
   * @return the file
   * @throws RefusedException if there is no such operator
   */
  public Path make(Sequencer sequencer, IdentityName operator, Instant now) throws IOException {
    make(sequencer, operator, now, CreateToken::new);
    return file;
  }

  /**
   * Removes the file if its token no longer works. Blocks on the disk.
   *
   * @param newest asked while no file is being made: an older image would not know its token
   */
  public synchronized void tidy(Supplier<Image> newest, Instant now) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    boolean works =
        secretHash()
            .flatMap(newest.get().identities()::tokenOf)
            .filter(token -> !token.isExpired(now))
            .isPresent();
    if (!works) {
      Files.deleteIfExists(file);
      LOG.atInfo().addKeyValue("file", file).log("token of the first operator is gone");
    }
  }

  /** The file first: a token that the journal holds and nobody knows would be in the way. */
  private synchronized void make(
      Sequencer sequencer,
      IdentityName operator,
      Instant now,
      Function<Token, IdentityCommand> command)
      throws IOException {
    NewToken fresh = NewToken.make();
    PrivateFile.replace(file, fresh.text(Authorities.root(sequencer.image())) + "\n");
    Request request = Request.internal(ACTOR, now);
    Token token = fresh.token(operator, "", now, LIFETIME);
    try {
      sequencer.submit(new Command.OfIdentity(request, command.apply(token))).join();
    } catch (CompletionException e) {
      Files.deleteIfExists(file);
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
    LOG.atInfo()
        .addKeyValue("operator", operator)
        .addKeyValue("file", file)
        .log("one-time token written; it works for 24 h");
  }

  private Optional<String> secretHash() throws IOException {
    try {
      byte[] hash = TokenText.parse(Files.readString(file)).secretHash();
      return Optional.of(HexFormat.of().formatHex(hash));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }
}
