package io.orrery.orchestrator.objects;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores and reads objects of a real server. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RemoteObjectsContract {
  protected Path temp;
  private Vertx vertx;

  /** Starts the server. */
  protected abstract void start() throws Exception;

  /** Ends the server. */
  protected abstract void stop();

  /** A store of the server. */
  protected abstract RemoteObjects store(String prefix, Clock clock);

  /** The same with this key of another account. */
  protected abstract RemoteObjects withKey(String key, Clock clock);

  /** A store in a bucket or container that is not there. */
  protected abstract RemoteObjects nowhere(Clock clock);

  /** A store at port 1 of this machine. */
  protected abstract RemoteObjects away(Clock clock);

  /** A key of the form that the server's have. */
  protected abstract String wrongKey();

  /** The bytes behind which a file is sent in parts. */
  protected abstract int part();

  /** The names of all objects below a prefix that ends with a slash, without it. */
  protected abstract List<String> names(String prefix) throws Exception;

  @BeforeAll
  @Timeout(300)
  void begin(@TempDir Path directory) throws Exception {
    temp = directory;
    vertx = Vertx.vertx();
    start();
  }

  @AfterAll
  void end() throws Exception {
    if (vertx != null) {
      success(vertx.close());
    }
    stop();
  }

  private Clock clock() {
    return new SystemClock(vertx);
  }

  @Test
  void anObjectIsStoredReadInPiecesAndDeleted() throws Exception {
    try (RemoteObjects store = store("below/it/", clock())) {
      Path file = Files.writeString(temp.resolve("text"), "0123456789");

      store.put("digits", file, Sha256.hex("0123456789"));

      assertThat(names("below/it/")).containsExactly("digits");
      assertThat(store.read("digits", 0, 4)).asString(StandardCharsets.UTF_8).isEqualTo("0123");
      assertThat(store.read("digits", 8, 4)).asString(StandardCharsets.UTF_8).isEqualTo("89");
      assertThat(store.read("digits", 10, 4)).isEmpty();
      assertThat(store.storedAt("digits").orElseThrow())
          .isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plusSeconds(5));

      store.delete("digits");
      store.delete("digits");
      assertThat(store.storedAt("digits")).isEmpty();
      assertThat(store.read("digits", 0, 4)).isNull();
    }
  }

  @Test
  void anEmptyObjectIsAnObject() throws Exception {
    try (RemoteObjects store = store("", clock())) {
      store.put("empty", Files.createFile(temp.resolve("empty")), Sha256.hex(""));

      assertThat(store.storedAt("empty")).isPresent();
      assertThat(store.read("empty", 0, 10)).isEmpty();
    }
  }

  @Test
  void aLargeFileIsSentInPartsAndIsWhole() throws Exception {
    byte[] content = new byte[2 * part() + 12_345];
    new Random(1).nextBytes(content);
    try (RemoteObjects store = store("", clock())) {
      Path file = Files.write(temp.resolve("large"), content);

      store.put("large", file, Sha256.hex(content));

      assertThat(store.read("large", 0, content.length)).isEqualTo(content);
    }
  }

  @Test
  void aWrongKeyIsRefusedInTheWordsOfTheStoreWithoutTheKey() throws Exception {
    try (RemoteObjects store = withKey(wrongKey(), clock())) {
      assertThatThrownBy(store::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("403")
          .hasMessageContainingAll("refused to", "ignature")
          .hasMessageNotContaining(wrongKey());
    }
  }

  @Test
  void aStoreThatCannotBeReachedMayPass() throws Exception {
    try (RemoteObjects store = away(clock())) {
      assertThatThrownBy(() -> store.storedAt("any"))
          .isInstanceOfSatisfying(
              ProblemException.class,
              e -> assertThat(e.problem()).isInstanceOf(Problem.Busy.class));
    }
  }

  @Test
  void aCheckTriesAWriteBelowThePrefixAndLeavesNothing() throws Exception {
    try (RemoteObjects store = store("checked/", clock())) {
      store.check();

      assertThat(names("checked/")).isEmpty();
    }
    try (RemoteObjects store = nowhere(clock())) {
      assertThatThrownBy(store::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("404")
          .hasMessageContaining("nothing");
    }
  }
}
