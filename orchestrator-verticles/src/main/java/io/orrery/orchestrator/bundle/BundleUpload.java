package io.orrery.orchestrator.bundle;

import io.orrery.compute.attempt.Background;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/** Uploads directories of the server as code of runs. Blocks. */
public final class BundleUpload {
  private final Bus bus;

  public BundleUpload(Bus bus) {
    this.bus = bus;
  }

  /**
   * Uploads a tree.
   *
   * @param drafts a directory in which it is packed
   * @return its digest; it is stored now
   * @throws ProblemException Refused when it is too much
   */
  public String upload(CodeTree tree, Path drafts) throws IOException {
    List<Finding> findings = tree.check("", CodeBundles.CONTENT);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    Path packed = Files.createTempFile(drafts, "pack", ".tar.gz");
    try {
      String digest;
      try (OutputStream out =
          new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(packed)))) {
        digest = CodeArchive.write(tree, out);
      }
      if (Files.size(packed) > CodeBundles.MOST_BYTES) {
        throw new Problem.Refused(
                new Finding(
                    "", "packed it has more than %d MiB".formatted(CodeBundles.MOST_BYTES >> 20)))
            .toException();
      }
      send(packed, digest);
      return digest;
    } finally {
      Files.deleteIfExists(packed);
    }
  }

  private void send(Path packed, String digest) throws IOException {
    try {
      if (answer(bus.request(CodeBundles.FIND, new CodeBundles.Find(digest))).there()) {
        return;
      }
      String upload = UUID.randomUUID().toString();
      int number = 0;
      try (InputStream in = Files.newInputStream(packed)) {
        for (byte[] part = in.readNBytes(CodeBundles.PART);
            part.length > 0;
            part = in.readNBytes(CodeBundles.PART)) {
          answer(bus.request(CodeBundles.ADD_PART, new CodeBundles.AddPart(upload, number, part)));
          number++;
        }
      }
      answer(bus.request(CodeBundles.COMMIT, new CodeBundles.Commit(upload, digest, number)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the code was not stored: " + Problem.of(e).detail(), e);
    }
  }

  /** Waits on a worker thread of Vert.x as well; the bus bounds the time. */
  private static <T> T answer(Future<T> future) throws Exception {
    return Background.await(future.toCompletionStage().toCompletableFuture());
  }
}
