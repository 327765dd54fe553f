package io.orrery.orchestrator.s3;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores and reads objects of a real S3 server. */
@Timeout(300)
class S3BucketIT {
  private static final int PART = 5 << 20;

  @TempDir static Path temp;
  static S3Proxy server;
  static Vertx vertx;

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    server = S3Proxy.start(temp);
  }

  @AfterAll
  static void stop() throws Exception {
    success(vertx.close());
    if (server != null) {
      server.close();
    }
  }

  private static S3Bucket bucket(String prefix, String secretKey) {
    return new S3Bucket(
        server.settings(prefix),
        new SystemClock(vertx),
        () -> new S3Bucket.Keys(S3Proxy.ACCESS_KEY, secretKey),
        PART);
  }

  @Test
  void anObjectIsStoredReadInPiecesAndDeleted() throws Exception {
    try (S3Bucket bucket = bucket("below/it/", S3Proxy.SECRET_KEY)) {
      bucket.check();
      Path file = Files.writeString(temp.resolve("text"), "0123456789");

      bucket.put("digits", file, Sha256.hex("0123456789"));

      assertThat(server.object("below/it/digits")).hasContent("0123456789");
      assertThat(bucket.read("digits", 0, 4)).asString(StandardCharsets.UTF_8).isEqualTo("0123");
      assertThat(bucket.read("digits", 8, 4)).asString(StandardCharsets.UTF_8).isEqualTo("89");
      assertThat(bucket.read("digits", 10, 4)).isEmpty();
      assertThat(bucket.storedAt("digits").orElseThrow())
          .isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plusSeconds(5));

      bucket.delete("digits");
      bucket.delete("digits");
      assertThat(bucket.storedAt("digits")).isEmpty();
      assertThat(bucket.read("digits", 0, 4)).isNull();
    }
  }

  @Test
  void anEmptyObjectIsAnObject() throws Exception {
    try (S3Bucket bucket = bucket("", S3Proxy.SECRET_KEY)) {
      bucket.put("empty", Files.createFile(temp.resolve("empty")), Sha256.hex(""));

      assertThat(bucket.storedAt("empty")).isPresent();
      assertThat(bucket.read("empty", 0, 10)).isEmpty();
    }
  }

  @Test
  void aLargeFileIsSentInPartsAndIsWhole() throws Exception {
    byte[] content = new byte[2 * PART + 12_345];
    new Random(1).nextBytes(content);
    try (S3Bucket bucket = bucket("", S3Proxy.SECRET_KEY)) {
      Path file = Files.write(temp.resolve("large"), content);

      bucket.put("large", file, Sha256.hex(content));

      assertThat(bucket.read("large", 0, content.length)).isEqualTo(content);
    }
  }

  @Test
  void aWrongKeyIsRefusedInTheWordsOfTheStoreWithoutTheKey() throws Exception {
    try (S3Bucket bucket = bucket("", "wrong-secret")) {
      assertThatThrownBy(bucket::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("403")
          .hasMessageContaining("SignatureDoesNotMatch")
          .hasMessageNotContaining("wrong-secret");
    }
  }

  @Test
  void aStoreThatCannotBeReachedMayPass() throws Exception {
    S3Settings nowhere =
        new S3Settings(URI.create("http://127.0.0.1:1"), "artifacts", "us-east-1", "", "a", "b");
    try (S3Bucket bucket =
        new S3Bucket(nowhere, new SystemClock(vertx), () -> new S3Bucket.Keys("a", "b"))) {
      assertThatThrownBy(() -> bucket.storedAt("any"))
          .isInstanceOfSatisfying(
              ProblemException.class,
              e -> assertThat(e.problem()).isInstanceOf(Problem.Busy.class));
    }
  }

  @Test
  void aCheckTriesAWriteBelowThePrefixAndLeavesNothing() throws Exception {
    try (S3Bucket bucket = bucket("checked/", S3Proxy.SECRET_KEY)) {
      bucket.check();

      Path objects = server.object("checked");
      Files.createDirectories(objects);
      try (var left = Files.list(objects)) {
        assertThat(left).isEmpty();
      }
    }
    S3Settings known = server.settings("");
    S3Settings none =
        new S3Settings(
            known.endpoint(), "nothing", known.region(), "", known.accessKey(), known.secretKey());
    try (S3Bucket bucket =
        new S3Bucket(
            none,
            new SystemClock(vertx),
            () -> new S3Bucket.Keys(S3Proxy.ACCESS_KEY, S3Proxy.SECRET_KEY))) {
      assertThatThrownBy(bucket::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("404")
          .hasMessageContaining("store objects");
    }
  }
}
