package io.orrery.orchestrator.build;

import io.orrery.compute.attempt.Background;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/** Uploads a directory as the code of a run. Blocks. */
final class BuildPacks {
  private final Bus bus;

  BuildPacks(Bus bus) {
    this.bus = bus;
  }

  /** The digest of the directory, which is stored now. */
  String upload(Path directory) throws IOException, BuildException {
    CodeTree tree = CodeTree.whole(directory);
    List<Finding> findings = tree.check("", CodeBundles.CONTENT);
    if (!findings.isEmpty()) {
      throw new BuildException(
          "its context is too much for a pod: " + findings.getFirst().message());
    }
    Path packed = Files.createTempFile(directory.getParent(), "pack", ".tar.gz");
    try {
      String digest;
      try (OutputStream out =
          new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(packed)))) {
        digest = CodeArchive.write(tree, out);
      }
      if (Files.size(packed) > CodeBundles.MOST_BYTES) {
        throw new BuildException(
            "its context is too much for a pod: packed it has more than %d MiB"
                .formatted(CodeBundles.MOST_BYTES >> 20));
      }
      send(packed, digest);
      return digest;
    } finally {
      Files.deleteIfExists(packed);
    }
  }

  private void send(Path packed, String digest) throws IOException {
    try {
      if (Background.await(bus.request(CodeBundles.FIND, new CodeBundles.Find(digest))).there()) {
        return;
      }
      String upload = UUID.randomUUID().toString();
      int number = 0;
      try (InputStream in = Files.newInputStream(packed)) {
        for (byte[] part = in.readNBytes(CodeBundles.PART);
            part.length > 0;
            part = in.readNBytes(CodeBundles.PART)) {
          Background.await(
              bus.request(CodeBundles.ADD_PART, new CodeBundles.AddPart(upload, number, part)));
          number++;
        }
      }
      Background.await(
          bus.request(CodeBundles.COMMIT, new CodeBundles.Commit(upload, digest, number)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the context was not uploaded: " + Problem.of(e).detail(), e);
    }
  }
}
