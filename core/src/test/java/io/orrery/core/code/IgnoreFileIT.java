package io.orrery.core.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the files that stay behind with those that git would ignore: git itself is asked. */
class IgnoreFileIT {
  /** Seeds of random rounds; each tries a tree and the patterns of up to three files. */
  private static final int ROUNDS = Integer.getInteger("orrery.ignore.rounds", 150);

  private static final List<String> PIECES =
      List.of(
          "a",
          "b",
          "ab",
          "A",
          ".",
          "é",
          " ",
          "-",
          "*",
          "**",
          "?",
          "/",
          "/",
          "/**/",
          "**/",
          "/**",
          "[ab]",
          "[!a]",
          "[^b]",
          "[a-b]",
          "[b-a]",
          "[[:alpha:]]",
          "[[:upper:]x]",
          "[]a]",
          "[a\\]]",
          "[\\a-b]",
          "[[:nosuch:]]",
          "[a",
          "[[:alpha]",
          "[-a]",
          "[a-]",
          "\\*",
          "\\a",
          "\\",
          "\\ ",
          "!",
          "#",
          "***",
          "a*b",
          "\t",
          "[/]",
          "[!/]",
          "a**b");

  private static final List<String> NAMES =
      List.of("a", "b", "ab", "aab", "A", "é", ".a", "a b", "a ", "-", "*", "x", "#a", "!b", "ba");

  @TempDir Path directory;
  private Path tree;

  @BeforeEach
  void begin() throws Exception {
    tree = Files.createDirectory(directory.resolve("tree"));
    git(new byte[0], "init", "-q", ".");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*.pyc",
        "/data",
        "data/",
        "!data/keep",
        "data/*\n!data/keep",
        "**/x",
        "x/**",
        "a/**/b",
        "foo**bar",
        "# comment\n\\#a",
        "\\!b",
        "trailing   ",
        "trailing\\ ",
        "a\\",
        "/",
        "!",
        "//",
        "a//b",
        "\r",
        "*\r\n!a\r",
        "\uFEFFa",
        "a/\n!a/b",
        "*\n!*/\n!ab",
        "a/**",
        "/**",
        "**",
        "/*",
        "a/*/b",
        "[a",
        "a/[!b]",
        "?",
        "??",
        "é",
        "[é]",
        "**a",
        "a**/b",
        "/a**/b",
        "a/**b",
        "\\**/a"
      })
  void eachPatternMeansWhatItMeansToGit(String text) throws Exception {
    Random random = new Random(7);
    grow(tree, random, 3);
    Files.createDirectories(tree.resolve("data/keep"));
    Files.writeString(tree.resolve("data/keep/x"), "");
    Files.writeString(tree.resolve("data/y.pyc"), "");
    Files.writeString(tree.resolve("trailing"), "");
    Files.writeString(tree.resolve("trailing "), "");

    ignore(tree, text);

    assertThat(shipped()).isEqualTo(keptByGit());
  }

  @Test
  void randomPatternsInNestedFilesMeanWhatTheyMeanToGit() throws Exception {
    int ignored = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Path round = Files.createDirectory(directory.resolve("round-" + seed));
      tree = round;
      List<Path> directories = grow(round, random, 3);
      String patterns = "";
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        String text = patterns(random);
        ignore(directories.get(random.nextInt(Math.min(i + 1, directories.size()))), text);
        patterns += "\n--\n" + text;
      }
      TreeSet<String> kept = keptByGit();
      assertThat(shipped()).as("seed %d, patterns%s", seed, patterns).isEqualTo(kept);
      ignored += all().size() - kept.size();
    }
    assertThat(ignored).as("a round is about something").isGreaterThan(ROUNDS);
  }

  private static String patterns(Random random) {
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 1 + random.nextInt(4); line++) {
      if (random.nextInt(4) == 0) {
        text.append('!');
      }
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      text.append(random.nextInt(6) == 0 ? "\r\n" : "\n");
    }
    return text.toString();
  }

  /** Random files and directories below one; all directories, itself first. */
  private static List<Path> grow(Path directory, Random random, int depth) throws IOException {
    List<Path> directories = new ArrayList<>(List.of(directory));
    for (int i = 0; i < 6; i++) {
      Path child = directory.resolve(NAMES.get(random.nextInt(NAMES.size())));
      if (Files.exists(child, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      if (depth > 0 && random.nextInt(2) == 0) {
        Files.createDirectory(child);
        directories.addAll(grow(child, random, depth - 1));
      } else if (random.nextInt(8) == 0) {
        Files.createSymbolicLink(child, Path.of("a"));
      } else {
        Files.writeString(child, "");
      }
    }
    return directories;
  }

  private static void ignore(Path directory, String text) throws IOException {
    Files.writeString(directory.resolve(IgnoreFile.NAME), text);
    Files.writeString(directory.resolve(".gitignore"), text);
  }

  private TreeSet<String> all() throws IOException {
    try (Stream<Path> walk = Files.walk(tree)) {
      TreeSet<String> names = new TreeSet<>();
      walk.filter(path -> Files.isSymbolicLink(path) || Files.isRegularFile(path))
          .map(path -> tree.relativize(path).toString())
          .forEach(names::add);
      names.removeIf(name -> name.startsWith(".git/"));
      return names;
    }
  }

  private TreeSet<String> shipped() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (CodeTree.Entry entry : CodeTree.of(tree).entries()) {
      if (!(entry instanceof CodeTree.Directory)) {
        names.add(entry.path());
      }
    }
    names.removeIf(name -> name.startsWith(".git/"));
    return names;
  }

  private TreeSet<String> keptByGit() throws Exception {
    TreeSet<String> kept = all();
    byte[] asked = (String.join("\0", kept) + "\0").getBytes(StandardCharsets.UTF_8);
    String ignored = git(asked, "check-ignore", "--no-index", "-z", "--stdin");
    kept.removeAll(Arrays.asList(ignored.split("\0")));
    return kept;
  }

  private String git(byte[] input, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "git",
                "--git-dir=" + directory.resolve("repository"),
                "--work-tree=" + tree,
                "-c",
                "core.excludesFile=/dev/null",
                "-c",
                "core.ignoreCase=false"));
    command.addAll(List.of(arguments));
    Path errors = directory.resolve("errors");
    Path in = directory.resolve("in");
    Files.write(in, input);
    Process git =
        new ProcessBuilder(command)
            .directory(tree.toFile())
            .redirectInput(in.toFile())
            .redirectError(errors.toFile())
            .start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(git.exitValue()).as(Files.readString(errors)).isLessThanOrEqualTo(1);
    return output;
  }
}
