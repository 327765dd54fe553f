package io.orrery.orchestrator.bundle;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.VirtualClock;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads code in parts. */
class BundleVerticleTest {
  private static final int PART = 100;

  @TempDir Path temp;
  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-11-01T00:00:00Z"));
  private Vertx vertx;
  private Store store;
  private Bus bus;
  private BundleFolder folder;
  private byte[] packed;
  private String digest;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, temp.resolve("orrery.db"));
    bus = Bus.of(vertx);
    folder = new BundleFolder(vertx, store, temp.resolve("elsewhere"));
    success(vertx.deployVerticle(new BundleVerticle(bus, store, clock, temp.resolve("home"))));
    pack();
  }

  private void pack() throws IOException {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("serve.py"), "print('hello')");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      digest = CodeArchive.write(CodeTree.of(code), gzip);
    }
    packed = bytes.toByteArray();
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private int upload(String name) throws Exception {
    int parts = 0;
    for (int from = 0; from < packed.length; from += PART) {
      byte[] part = Arrays.copyOfRange(packed, from, Math.min(packed.length, from + PART));
      success(bus.request(CodeBundles.ADD_PART, new CodeBundles.AddPart(name, parts, part)));
      parts++;
    }
    return parts;
  }

  private boolean isThere() throws Exception {
    return success(bus.request(CodeBundles.FIND, new CodeBundles.Find(digest))).there();
  }

  @Test
  void anUploadIsUnpackedOnEachMachineThatNeedsIt() throws Exception {
    int parts = upload("one");
    assertThat(parts).isGreaterThan(1);
    assertThat(isThere()).isFalse();

    success(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", digest, parts)));

    assertThat(isThere()).isTrue();
    Path directory = success(folder.unpacked(digest));
    assertThat(directory.resolve("serve.py")).hasContent("print('hello')");
    assertThat(success(folder.unpacked(digest))).isEqualTo(directory);
  }

  /** As pods fetch it, whatever the parts were. */
  @Test
  void aBundleIsReadInPiecesAsItWasUploaded() throws Exception {
    commit();

    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (Piece piece = new Piece(new byte[0], 0, packed.length);
        piece.next() < piece.size();
        read.writeBytes(piece.bytes())) {
      piece = success(folder.packed(digest, piece.next(), 37));
      assertThat(piece.size()).isEqualTo(packed.length);
      assertThat(piece.bytes()).isNotEmpty();
    }

    assertThat(read.toByteArray()).isEqualTo(packed);
    assertThat(success(folder.packed(digest, packed.length, 37)).bytes()).isEmpty();
    assertThat(failure(folder.packed("0".repeat(64), 0, 37))).isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void anUploadThatIsNotWhatItSaysLeavesNothing() throws Exception {
    int parts = upload("one");
    String other = "0".repeat(64);

    Problem refused =
        failure(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", other, parts)));

    assertThat(refused).isInstanceOf(Problem.Refused.class);
    assertThat(failure(folder.unpacked(other)).toString()).contains("there is no uploaded code");
    Problem gone =
        failure(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", digest, parts)));
    assertThat(gone.toString()).contains("missing");
  }

  @Test
  void anUploadWithAMissingPartIsRefused() throws Exception {
    int parts = upload("one");

    Problem refused =
        failure(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", digest, parts + 1)));

    assertThat(refused).isInstanceOf(Problem.Refused.class);
    assertThat(isThere()).isFalse();
  }

  @Test
  void aFreshBundleIsKeptThoughItIsNotUsedYet() throws Exception {
    success(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", digest, upload("one"))));

    success(bus.request(CodeBundles.KEEP, new CodeBundles.Keep(List.of())));

    assertThat(isThere()).isTrue();
  }

  private void commit() throws Exception {
    int parts = upload("one");
    success(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit("one", digest, parts)));
  }

  private void sweepAfter(Duration time) throws Exception {
    clock.advance(time);
    success(bus.request(CodeBundles.KEEP, new CodeBundles.Keep(List.of())));
  }

  @Test
  void codeThatOnlyARunNeedsIsKept() throws Exception {
    commit();
    success(store.write(List.of(CodeUses.insert(digest, "run-r1"))));

    sweepAfter(Duration.ofDays(30));

    assertThat(success(folder.unpacked(digest)).resolve("serve.py")).exists();
  }

  @Test
  void codeThatIsAskedForIsKeptForAnotherDay() throws Exception {
    commit();
    clock.advance(Duration.ofHours(23));
    assertThat(isThere()).isTrue();

    sweepAfter(Duration.ofHours(2));
    assertThat(success(folder.unpacked(digest)).resolve("serve.py")).exists();

    sweepAfter(Duration.ofHours(23));
    assertThat(isThere()).isFalse();
  }
}
