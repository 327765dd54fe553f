package io.orrery.orchestrator.git;

import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.code.CodeRepository;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fetches one state of a repository into a directory, within the limits of code. Blocks. */
final class RepositoryFetch {
  /** A line of the listing of a tree: mode, kind, name of the object, bytes. */
  private static final Pattern ENTRY =
      Pattern.compile("[0-7]{6} (blob|commit|tree) [0-9a-f]{40,64} +([0-9]{1,18}|-)\t.*");

  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40,64}");

  private final GitProgram git;
  private final CodeRepository source;

  RepositoryFetch(GitProgram git, CodeRepository source) {
    this.git = git;
    this.source = source;
  }

  /** Fetches into a draft; the commit. */
  String commit(Path draft) throws IOException {
    Path repository = draft.resolve("repository");
    git.run("init", "--quiet", "--bare", "--template=", repository.toString());
    git.run(
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--",
        source.url().toString(),
        source.ref());
    git.run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}");
    String commit = git.text();
    if (!COMMIT.matcher(commit).matches()) {
      throw GitProgram.refused("git names no commit");
    }
    return commit;
  }

  /**
   * Writes the files of a directory of the commit.
   *
   * @param directory below the root; empty for the root
   * @param tree is made, and has nothing but the files afterwards
   */
  void write(String commit, String directory, Path tree) throws IOException {
    Files.createDirectory(tree);
    String wanted = directory.isEmpty() ? commit + "^{tree}" : commit + ":" + directory;
    git.run("ls-tree", "-r", "-l", "--full-tree", wanted);
    checkSizes();
    git.run("read-tree", wanted);
    git.run("--work-tree=" + tree, "checkout-index", "--all", "--force", "--quiet");
    if (!Files.isDirectory(tree)) {
      throw GitProgram.refused("the repository has no files there");
    }
  }

  /** The sizes are known before anything is unpacked. */
  private void checkSizes() throws IOException {
    long files = 0;
    long bytes = 0;
    try (BufferedReader lines =
        Files.newBufferedReader(git.printed(), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher entry = ENTRY.matcher(line);
        if (!entry.matches()) {
          throw GitProgram.refused("git lists a tree in a way that is not known");
        }
        files++;
        bytes += entry.group(2).equals("-") ? 0 : Long.parseLong(entry.group(2));
        if (files > CodeBundles.CONTENT.entries() || bytes > CodeBundles.CONTENT.bytes()) {
          throw GitProgram.refused(
              "it has more than %,d files or %,d MB: name a directory of the repository"
                  .formatted(CodeBundles.CONTENT.entries(), CodeBundles.CONTENT.bytes() >> 20));
        }
      }
    }
    if (files == 0) {
      throw GitProgram.refused("there are no files");
    }
  }
}
