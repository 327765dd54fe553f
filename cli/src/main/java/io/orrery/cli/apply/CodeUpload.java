package io.orrery.cli.apply;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Uploads a directory of code, unless its content is uploaded already. */
final class CodeUpload {
  private CodeUpload() {}

  /**
   * The digest of a directory and what speaks against shipping it.
   *
   * @param digest empty when there are findings
   * @param notice a sentence about what is left out; null when nothing is
   */
  record Looked(String digest, List<Finding> findings, @Nullable String notice) {
    Looked {
      findings = List.copyOf(findings);
    }
  }

  static Looked look(Path directory) {
    if (!Files.isDirectory(directory)) {
      return refused("there is no directory " + directory);
    }
    try {
      CodeTree tree = CodeTree.of(directory);
      List<Finding> findings = tree.check("/code", CodeBundles.CONTENT);
      return findings.isEmpty()
          ? new Looked(CodeArchive.digest(tree), List.of(), tree.leftOut())
          : new Looked("", findings, null);
    } catch (IOException e) {
      return refused(directory + " cannot be read: " + FileFault.words(e));
    }
  }

  private static Looked refused(String why) {
    return new Looked("", List.of(new Finding("/code", why)), null);
  }

  /** Uploads a directory whose digest is known. */
  static void send(Api api, Path directory, String digest) throws IOException {
    Resource code = Resource.of("code", digest);
    if (api.find(code).isPresent()) {
      return;
    }
    Path packed = Files.createTempFile("orrery-code-", ".tar.gz");
    try {
      try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(packed))) {
        CodeArchive.write(CodeTree.of(directory), to);
      }
      api.put(code, packed, "application/gzip");
    } finally {
      Files.deleteIfExists(packed);
    }
  }
}
