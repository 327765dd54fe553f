package io.orrery.orchestrator.bundle;

import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.SyncedFile;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ModelSource;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of the models that programs of this machine read: {@code <home>/models/<digest>}.
 * The files come over the bus, each is compared with its digest, and a directory appears whole, by
 * a rename. The files are read-only. Used on one context.
 */
public final class ModelFolder {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFolder.class);

  /** Room that is left on the disk for everything else. */
  private static final long LEAST_ROOM = 256L << 20;

  /** The time after its last use for which a model is kept: replicas that drain still read it. */
  private static final Duration UNUSED = Duration.ofHours(1);

  /** So many models are downloaded at once. */
  private static final int MOST_DOWNLOADS = 4;

  private static final String FRESH = "new-";

  private final Vertx vertx;
  private final Bus bus;
  private final Path root;
  private final Predicate<InetAddress> allowed;
  private final Semaphore downloads = new Semaphore(MOST_DOWNLOADS, true);
  private final Map<String, Future<Path>> coming = new HashMap<>();
  private final Map<String, Instant> unused = new HashMap<>();

  /**
   * A folder below a home.
   *
   * @param allowed addresses besides those of the Internet that models are downloaded from
   */
  public ModelFolder(Vertx vertx, Bus bus, Path home, Predicate<InetAddress> allowed) {
    this.vertx = vertx;
    this.bus = bus;
    this.allowed = allowed;
    this.root = home.toAbsolutePath().normalize().resolve("models");
  }

  /**
   * The directory of a version, put there when it is not there yet.
   *
   * @return fails when the files are gone, are not what they were, or have no room
   */
  public Future<Path> placed(ModelFiles model) {
    unused.remove(model.digest());
    Path directory = place(model);
    Future<Path> present = coming.get(model.digest());
    if (present != null) {
      return present;
    }
    Future<Path> placed =
        vertx
            .executeBlocking(() -> Files.isDirectory(directory))
            .compose(there -> there ? Future.succeededFuture(directory) : fetch(model, directory));
    coming.put(model.digest(), placed);
    return placed.onComplete(done -> coming.remove(model.digest(), placed));
  }

  /** The directory of a version, whether it is there or not. */
  public Path place(ModelFiles model) {
    return root.resolve(model.digest());
  }

  /** The directory of the model with a digest, which counts as used now. */
  Path used(String digest) {
    unused.remove(digest);
    return root.resolve(digest);
  }

  /** Whether the directory of a version is there. */
  public Future<Boolean> isPlaced(ModelFiles model) {
    Path directory = place(model);
    return vertx.executeBlocking(() -> Files.isDirectory(directory));
  }

  private Future<Path> fetch(ModelFiles model, Path directory) {
    ModelSource source = model.source();
    return source == null ? fromRegistry(model, directory) : download(source, directory);
  }

  /** A download may last for hours, so it has a thread of its own; the others wait. */
  private Future<Path> download(ModelSource source, Path directory) {
    Promise<Path> promise = Promise.promise();
    Context context = vertx.getOrCreateContext();
    Thread.ofVirtual()
        .name("model-download")
        .start(() -> {
          downloads.acquireUninterruptibly();
          try {
            Files.createDirectories(root);
            Path fresh = Files.createTempDirectory(root, FRESH);
            try {
              new ModelDownload(ModelDownload.Limits.USUAL, allowed).fetch(source, fresh);
              Path placed = finish(fresh, directory);
              context.runOnContext(go -> promise.complete(placed));
            } catch (Throwable e) {
              DirectoryTree.delete(fresh);
              throw e;
            }
          } catch (Throwable e) {
            context.runOnContext(go -> promise.fail(e));
          } finally {
            downloads.release();
          }
        });
    return promise.future();
  }

  private Future<Path> fromRegistry(ModelFiles model, Path directory) {
    return bus.request(Artifacts.LIST, new Artifacts.ListFiles(Models.tree(model.id()), ""))
        .compose(list -> {
          List<ArtifactFile> files = list.files();
          String digest =
              Sha256.hex(
                  files.stream()
                      .map(file -> file.digest() + "  " + file.path() + "\n")
                      .collect(Collectors.joining()));
          if (!digest.equals(model.digest())) {
            return Future.failedFuture(
                new IOException(
                    "the files of version %s of model '%s' are sha256:%s, not sha256:%s"
                        .formatted(model.version(), model.name(), digest, model.digest())));
          }
          return vertx
              .executeBlocking(() -> fresh(files))
              .compose(fresh ->
                  AsyncLoop.inTurn(files, file -> fetch(file, fresh))
                      .compose(done -> vertx.executeBlocking(() -> finish(fresh, directory)))
                      .onFailure(failure -> drop(fresh)));
        });
  }

  private Path fresh(List<ArtifactFile> files) throws IOException {
    Files.createDirectories(root);
    long bytes = files.stream().mapToLong(ArtifactFile::bytes).sum();
    if (Files.getFileStore(root).getUsableSpace() - bytes < LEAST_ROOM) {
      throw new IOException("the disk has no room for a model of %,d bytes".formatted(bytes));
    }
    return Files.createTempDirectory(root, FRESH);
  }

  private Future<Void> fetch(ArtifactFile file, Path into) {
    if (!ArtifactPath.valid(file.path())) {
      return Future.failedFuture(new IOException("no path of a file: " + file.path()));
    }
    Path target = into.resolve(file.path());
    return vertx
        .executeBlocking(() -> {
          Files.createDirectories(target.getParent());
          return Files.createFile(target);
        })
        .compose(created -> write(file, target));
  }

  private Future<Void> write(ArtifactFile file, Path target) {
    MessageDigest digest = Sha256.begin();
    return AsyncLoop.iterate(
            0L,
            offset ->
                offset >= file.bytes()
                    ? Future.succeededFuture(Optional.empty())
                    : piece(file, target, offset, digest).map(Optional::of))
        .compose(all -> {
          String is = HexFormat.of().formatHex(digest.digest());
          return is.equals(file.digest())
              ? Future.succeededFuture()
              : Future.failedFuture(
                  new IOException(
                      "%s is sha256:%s, not sha256:%s".formatted(file.path(), is, file.digest())));
        });
  }

  /** Completes with the offset of the next piece. */
  private Future<Long> piece(ArtifactFile file, Path target, long offset, MessageDigest digest) {
    return bus.request(Artifacts.READ, new Artifacts.Read(file.digest(), offset, Artifacts.PART))
        .compose(piece ->
            vertx.executeBlocking(() -> {
              if (piece.bytes().length == 0) {
                throw new IOException("%s ends at %,d".formatted(file.path(), offset));
              }
              digest.update(piece.bytes());
              Files.write(target, piece.bytes(), StandardOpenOption.APPEND);
              return piece.next();
            }));
  }

  private static Path finish(Path fresh, Path directory) throws IOException {
    // Of the directories the server needs the right to rename and delete.
    List<Path> all = new ArrayList<>();
    try (var tree = Files.walk(fresh)) {
      tree.forEach(all::add);
    }
    for (Path path : all) {
      // A directory that is there after a power cut has its files: both are synced the same way.
      SyncedFile.syncNames(path);
      Files.setPosixFilePermissions(
          path,
          PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "r--r--r--"));
    }
    try {
      Path placed = Files.move(fresh, directory);
      SyncedFile.syncNames(Objects.requireNonNull(placed.getParent()));
      return placed;
    } catch (IOException e) {
      DirectoryTree.delete(fresh);
      if (Files.isDirectory(directory)) {
        return directory;
      }
      throw e;
    }
  }

  private void drop(Path fresh) {
    vertx
        .executeBlocking(() -> {
          DirectoryTree.delete(fresh);
          return fresh;
        })
        .onFailure(failure -> LOG.warn("could not delete {}: {}", fresh, failure.getMessage()));
  }

  /**
   * Deletes what nothing has used for a while, and what an earlier server left half done.
   *
   * @param used the digests of the models of all workloads
   */
  public Future<Void> sweep(Set<String> used, Instant now) {
    unused.keySet().removeAll(used);
    return vertx
        .executeBlocking(this::names)
        .compose(names -> {
          List<Path> old = new ArrayList<>();
          for (String name : names) {
            if (!used.contains(name)
                && !coming.containsKey(name)
                && (!name.startsWith(FRESH) || coming.isEmpty())) {
              Instant since = unused.computeIfAbsent(name, first -> now);
              if (!since.isAfter(now.minus(UNUSED))) {
                unused.remove(name);
                old.add(root.resolve(name));
              }
            }
          }
          return vertx.executeBlocking(() -> {
            for (Path directory : old) {
              DirectoryTree.delete(directory);
            }
            return old;
          });
        })
        .mapEmpty();
  }

  private List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(root)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
        all.forEach(path -> names.add(String.valueOf(path.getFileName())));
      }
    }
    return names;
  }
}
