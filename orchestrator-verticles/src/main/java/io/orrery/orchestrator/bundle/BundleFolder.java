package io.orrery.orchestrator.bundle;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.orchestrator.bundle.BundleTable.Bundle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * The directory of unpacked bundles on this machine: {@code <home>/bundles/<digest>}. A directory
 * appears whole, by a rename.
 */
public final class BundleFolder {
  private final Vertx vertx;
  private final BundleTable table;
  private final Path root;
  private final Map<String, Future<Path>> unpacking = new HashMap<>();

  /**
   * A folder below a home.
   *
   * @param store whose schema {@link BundleVerticle} has brought up
   */
  public BundleFolder(Vertx vertx, Store store, Path home) {
    this.vertx = vertx;
    this.table = new BundleTable(store);
    this.root = home.toAbsolutePath().normalize().resolve("bundles");
  }

  /**
   * The directory of a bundle, unpacked when it is not there yet. Used on one context.
   *
   * @return fails with Refused when there is no such bundle
   */
  public Future<Path> unpacked(String digest) {
    Path directory = root.resolve(digest);
    Future<Path> present = unpacking.get(digest);
    if (present != null) {
      return present;
    }
    Future<Path> unpacked =
        vertx
            .executeBlocking(() -> Files.isDirectory(directory))
            .compose(there ->
                there
                    ? Future.succeededFuture(directory)
                    : table
                        .find(digest)
                        .compose(
                            found -> unpack(found.orElseThrow(() -> missing(digest)), directory)));
    unpacking.put(digest, unpacked);
    return unpacked.onComplete(done -> unpacking.remove(digest));
  }

  private static RuntimeException missing(String digest) {
    return new Problem.Refused(
            new Finding(
                "/code", "there is no uploaded code sha256:" + digest + ": upload it first"))
        .toException();
  }

  private Future<Path> unpack(Bundle bundle, Path directory) {
    Path packed = root.resolve(UUID.randomUUID() + ".tar.gz");
    return vertx
        .executeBlocking(() -> {
          Files.createDirectories(root);
          return Files.createFile(packed);
        })
        .compose(created -> fetch(bundle, packed))
        .compose(fetched -> vertx.executeBlocking(() -> unpack(packed, bundle.digest(), directory)))
        .eventually(() -> vertx.executeBlocking(() -> Files.deleteIfExists(packed)));
  }

  /** Appends the parts to a file, one after the other. */
  Future<Void> fetch(Bundle bundle, Path file) {
    return AsyncLoop.inTurn(
        IntStream.range(0, bundle.parts()).boxed().toList(),
        number -> fetchPart(bundle, file, number));
  }

  private Future<Path> fetchPart(Bundle bundle, Path file, int number) {
    return part(bundle, number)
        .compose(bytes ->
            vertx.executeBlocking(() ->
                Files.write(file, bytes, StandardOpenOption.APPEND, StandardOpenOption.CREATE)));
  }

  private Future<byte[]> part(Bundle bundle, int number) {
    return table
        .part(bundle.upload(), number)
        .map(part ->
            part.orElseThrow(() ->
                new Problem.Refused(new Finding("", "part " + number + " of the upload is missing"))
                    .toException()));
  }

  private static Path unpack(Path packed, String digest, Path directory) throws IOException {
    Path fresh = Files.createTempDirectory(directory.getParent(), "new-");
    try (InputStream tar =
        new GZIPInputStream(new BufferedInputStream(Files.newInputStream(packed)))) {
      String is = CodeArchive.unpack(tar, fresh, CodeBundles.CONTENT);
      if (!is.equals(digest)) {
        throw new IOException("it is sha256:" + is);
      }
      Files.move(fresh, directory);
      return directory;
    } catch (IOException e) {
      DirectoryTree.delete(fresh);
      if (Files.isDirectory(directory)) {
        return directory;
      }
      throw new Problem.Refused(
              new Finding(
                  "/code", "the upload is no code sha256:" + digest + ": " + FileFault.words(e)))
          .toException();
    }
  }

  /**
   * A piece of a bundle as it was uploaded.
   *
   * @param offset from 0
   * @param limit most bytes
   * @return fails with NotFound when there is no such bundle
   */
  Future<Piece> packed(String digest, long offset, int limit) {
    return table
        .find(digest)
        .map(found ->
            found.orElseThrow(() ->
                new Problem.NotFound("There is no uploaded code sha256:" + digest + ".")
                    .toException()))
        .compose(bundle ->
            table.sizes(bundle.upload()).compose(sizes -> piece(bundle, sizes, offset, limit)));
  }

  private Future<Piece> piece(Bundle bundle, List<Long> sizes, long offset, int limit) {
    long size = sizes.stream().mapToLong(Long::longValue).sum();
    long start = 0;
    int number = 0;
    while (number < sizes.size() && offset >= start + sizes.get(number)) {
      start += sizes.get(number);
      number++;
    }
    if (number == sizes.size()) {
      return Future.succeededFuture(new Piece(new byte[0], offset, size));
    }
    int from = (int) (offset - start);
    return part(bundle, number)
        .map(part -> Arrays.copyOfRange(part, from, Math.min(part.length, from + limit)))
        .map(bytes -> new Piece(bytes, offset + bytes.length, size));
  }

  /** Deletes what is unpacked of a bundle on this machine. */
  Future<Void> delete(String digest) {
    return vertx
        .executeBlocking(() -> {
          DirectoryTree.delete(root.resolve(digest));
          return digest;
        })
        .mapEmpty();
  }

  /** Unpacks an upload in order to see whether it is what it says. */
  Future<Path> tried(String upload, String digest, int parts) {
    return unpack(new Bundle(digest, upload, parts, Instant.EPOCH), root.resolve(digest));
  }
}
