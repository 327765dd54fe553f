package io.orrery.core.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A commit that was fetched, and not yet written as files. */
public final class FetchedCommit {
  /** An entry of the listing of a tree: mode, kind, name of the object, bytes, path. */
  private static final Pattern ENTRY =
      Pattern.compile(
          "[0-7]{6} (blob|commit|tree) [0-9a-f]{40,64} +([0-9]{1,18}|-)\t.*", Pattern.DOTALL);

  private final GitProgram git;
  private final CodeLimits limits;
  private final String name;

  FetchedCommit(GitProgram git, CodeLimits limits, String name) {
    this.git = git;
    this.limits = limits;
    this.name = name;
  }

  /** The digits of the commit. */
  public String name() {
    return name;
  }

  /**
   * Writes the files of a directory of the commit. Links among them may lead anywhere: a caller
   * that reads the files follows none.
   *
   * @param directory below the root; empty for the root
   * @param tree a directory that does not exist yet and is made; it has nothing but the files
   */
  public void write(String directory, Path tree)
      throws IOException, GitException, InterruptedException {
    String wanted = directory.isEmpty() ? name + "^{tree}" : name + ":" + directory;
    git.run("ls-tree", "-r", "-l", "-z", "--full-tree", wanted);
    requireRoom();
    Files.createDirectory(tree);
    git.run("read-tree", wanted);
    git.run("--work-tree=" + tree, "checkout-index", "--all", "--force", "--quiet");
  }

  /** Refuses files that are too many or too large, before one of them is written. */
  private void requireRoom() throws IOException, GitException {
    long bytes = 0;
    int files = 0;
    try (Scanner entries =
        new Scanner(git.printed(), StandardCharsets.ISO_8859_1).useDelimiter("\0")) {
      // An entry at a time: a small repository may name very many files.
      while (entries.hasNext() && files <= limits.entries() && bytes <= limits.bytes()) {
        Matcher entry = ENTRY.matcher(entries.next());
        if (!entry.matches()) {
          throw new GitException("git lists a tree in a way that is not known");
        }
        files++;
        bytes += entry.group(2).equals("-") ? 0 : Long.parseLong(entry.group(2));
      }
      if (entries.ioException() != null) {
        throw entries.ioException();
      }
    }
    if (files == 0) {
      throw new GitException("there are no files");
    }
    if (files > limits.entries() || bytes > limits.bytes()) {
      throw new GitException(
          "it has more than %,d files or %,d MB: %,d files with %,d MB were counted"
              .formatted(limits.entries(), limits.bytes() >> 20, files, bytes >> 20));
    }
  }
}
