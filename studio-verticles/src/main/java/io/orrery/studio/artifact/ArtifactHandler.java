package io.orrery.studio.artifact;

import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.Stored;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Answers questions about artifacts, and takes files that the studio itself reads. */
public final class ArtifactHandler {
  /** After which a file that no tree has, or an upload without an end, is dropped. */
  private static final Duration UNUSED_LIFE = Duration.ofDays(1);

  private final Vertx vertx;
  private final Bus bus;
  private final Clock clock;
  private final RandomGenerator random;
  private final ArtifactTable table;
  private final ArtifactStore files;

  /**
   * @param root the directory of the files; made when it is not there
   */
  public ArtifactHandler(
      Vertx vertx, Bus bus, Store store, Clock clock, RandomGenerator random, Path root) {
    this.vertx = vertx;
    this.bus = bus;
    this.clock = clock;
    this.random = random;
    this.table = new ArtifactTable(store);
    this.files = new ArtifactStore(root);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Artifacts.FIND, asked -> blocking(() -> files.find(asked.digest()))),
            bus.serve(
                Artifacts.ADD_PART,
                part ->
                    blocking(() -> {
                      files.add(part.upload(), part.offset(), part.bytes());
                      return new Done();
                    })),
            bus.serve(
                Artifacts.COMMIT,
                commit ->
                    blocking(() ->
                        files.commit(
                            commit.upload(),
                            commit.bytes(),
                            Objects.requireNonNullElse(commit.digest(), "")))),
            bus.serve(
                Artifacts.READ,
                asked -> blocking(() -> files.read(asked.digest(), asked.offset(), asked.limit()))),
            bus.serve(
                Artifacts.LIST,
                asked -> table.files(asked.tree(), asked.directory()).map(Artifacts.Files::new))));
  }

  /**
   * Looks for files that are to become part of a tree, and keeps them from the next sweep.
   *
   * @return the same with the sizes that they have; fails with Refused when one is not there
   */
  public Future<List<ArtifactFile>> present(List<ArtifactFile> wanted) {
    return blocking(() -> {
      List<ArtifactFile> present = new ArrayList<>();
      for (ArtifactFile file : wanted) {
        present.add(
            new ArtifactFile(file.path(), file.digest(), files.find(file.digest()).bytes()));
        files.touch(file.digest(), clock.now());
      }
      return present;
    });
  }

  /** A name for an upload of the studio's own. */
  public String freshName() {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Adds to an upload of the studio's own. */
  public Future<Void> add(String upload, long offset, byte[] bytes) {
    return this.<Done>blocking(
            () -> {
              files.add(upload, offset, bytes);
              return new Done();
            })
        .mapEmpty();
  }

  /** Ends an upload of the studio's own. */
  public Future<Stored> commit(String upload, long bytes) {
    return blocking(() -> files.commit(upload, bytes, ""));
  }

  /** Stores what a stream has to its end. Blocks. */
  public Stored take(InputStream content) throws IOException {
    String upload = freshName();
    long offset = 0;
    byte[] part = content.readNBytes(Artifacts.PART);
    while (part.length > 0) {
      files.add(upload, offset, part);
      offset += part.length;
      part = content.readNBytes(Artifacts.PART);
    }
    return files.commit(upload, offset, "");
  }

  /** Drops files that no tree has, and uploads without an end, when they are older than a day. */
  public Future<Integer> sweep() {
    return table
        .used()
        .compose(used -> {
          Set<String> all = new HashSet<>(used);
          return blocking(() -> files.sweep(all, clock.now().minus(UNUSED_LIFE)));
        });
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  private <T> Future<T> blocking(Work<T> work) {
    return vertx.executeBlocking(
        () -> {
          try {
            return work.run();
          } catch (IOException e) {
            throw new Problem.Broken("could not keep an artifact: " + FileFault.words(e))
                .toException();
          }
        },
        false);
  }
}
