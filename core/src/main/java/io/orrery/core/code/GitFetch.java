package io.orrery.core.code;

import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fetches one commit of a repository with the program {@code git}, without its history. No hook,
 * filter, submodule, alternate, redirect or configuration of the machine counts; the address is
 * looked up once and checked; the size is known before a file is written. Blocks.
 */
public final class GitFetch {
  private static final int LONGEST_WORDS = 4 << 10;
  private static final int BLOCK = 512;
  private static final String LIMITED = "ulimit -f \"$1\"; shift; exec \"$@\"";

  /** Git takes the address of a host from its configuration since this version. */
  private static final int[] OLDEST = {2, 37};

  private final Limits limits;
  private final Predicate<InetAddress> allowed;
  private final SearchPath programs;

  /**
   * The limits of one fetch.
   *
   * @param bytes of all files together, and of what is sent
   * @param files at most
   * @param time for all of it
   */
  public record Limits(long bytes, int files, Duration time) {}

  /** A directory with the files, and the commit that they are of. */
  public record Fetched(Path directory, String commit) {}

  /**
   * @param allowed the addresses to which a connection may go
   * @param programs where git is found
   */
  public GitFetch(Limits limits, Predicate<InetAddress> allowed, SearchPath programs) {
    this.limits = limits;
    this.allowed = allowed;
    this.programs = programs;
  }

  /** A sentence about the program that is missing on this machine; null when it is there. */
  public static @Nullable String missing(SearchPath programs) {
    return programs.find("git").isPresent()
        ? null
        : "repositories cannot be fetched on the server's machine: install git";
  }

  /**
   * Fetches a commit. Links among its files may lead anywhere: a caller that reads the files
   * follows none.
   *
   * @param password the value that the secret of the source has; null for none
   * @param into a directory that does not exist yet and is made; after a failure it is gone
   */
  public Fetched fetch(GitSource source, @Nullable String password, Path into)
      throws IOException, GitException, InterruptedException {
    String absent = missing(programs);
    if (absent != null) {
      throw new GitException(absent);
    }
    if (GitSource.findUrlFault(source.url()).isPresent() || !GitSource.isRef(source.ref())) {
      throw new GitException("%s at %s cannot be fetched".formatted(source.url(), source.ref()));
    }
    Path scratch = into.resolveSibling(into.getFileName() + ".git");
    delete(scratch);
    Files.createDirectories(into.getParent());
    Files.createDirectory(into);
    boolean done = false;
    try {
      Files.createDirectory(scratch);
      String commit = new Repository(source, password, into, scratch).fetch();
      done = true;
      return new Fetched(into, commit);
    } finally {
      delete(scratch);
      if (!done) {
        delete(into);
      }
    }
  }

  /** The addresses of the host of a source, which are the only ones that are connected to. */
  private String pinned(URI uri) throws GitException {
    InetAddress[] all;
    try {
      all = InetAddress.getAllByName(uri.getHost());
    } catch (UnknownHostException e) {
      throw new GitException("there is no host " + uri.getHost());
    }
    List<String> reached =
        Arrays.stream(all)
            .filter(allowed)
            .map(InetAddress::getHostAddress)
            .map(address -> address.contains(":") ? "[" + address + "]" : address)
            .toList();
    if (reached.isEmpty()) {
      throw new GitException(
          uri.getHost() + " is not in the Internet, and not in a network that the server may ask");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("http") ? 80 : 443;
    return "%s:%d:%s".formatted(uri.getHost(), port, String.join(",", reached));
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** A repository without history that lives for one fetch. */
  private final class Repository {
    private final GitSource source;
    private final Path scratch;
    private final String pinned;
    private final Map<String, String> environment = new HashMap<>();
    private final long end = System.nanoTime() + limits.time().toNanos();

    Repository(GitSource source, @Nullable String password, Path into, Path scratch)
        throws GitException {
      this.source = source;
      this.scratch = scratch;
      this.pinned = pinned(URI.create(source.url()));
      environment.put("PATH", programs.text());
      environment.put("HOME", scratch.toString());
      environment.put("LC_ALL", "C.UTF-8");
      environment.put("GIT_DIR", scratch.resolve("repository").toString());
      environment.put("GIT_WORK_TREE", into.toString());
      environment.put("GIT_CONFIG_NOSYSTEM", "1");
      environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
      environment.put("GIT_ATTR_NOSYSTEM", "1");
      environment.put("GIT_TERMINAL_PROMPT", "0");
      environment.put("GIT_ALLOW_PROTOCOL", "https:http");
      if (password != null) {
        String user = source.user() == null ? GitSource.ANY_USER : source.user();
        // In the environment, which no other user of the machine can read, unlike a command line.
        environment.put("GIT_CONFIG_COUNT", "1");
        environment.put("GIT_CONFIG_KEY_0", "http.extraHeader");
        environment.put(
            "GIT_CONFIG_VALUE_0",
            "Authorization: Basic "
                + Base64.getEncoder()
                    .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
      }
    }

    String fetch() throws IOException, GitException, InterruptedException {
      requireVersion(said("version"));
      said("init", "--quiet", "--template=");
      said(
          "fetch",
          "--quiet",
          "--depth=1",
          "--no-tags",
          "--no-recurse-submodules",
          "--no-auto-gc",
          "--no-write-commit-graph",
          source.url(),
          source.ref());
      String commit = said("rev-parse", "--verify", "FETCH_HEAD^{commit}");
      requireRoom(commit);
      said("checkout", "--quiet", "--detach", "--no-recurse-submodules", commit);
      return commit;
    }

    private static void requireVersion(String words) throws GitException {
      List<Integer> numbers =
          Stream.of(words.replaceFirst("^git version ", "").split("[^0-9]+"))
              .filter(digits -> !digits.isEmpty() && digits.length() < 6)
              .map(Integer::valueOf)
              .toList();
      boolean old =
          numbers.size() < 2
              || numbers.get(0) < OLDEST[0]
              || (numbers.get(0) == OLDEST[0] && numbers.get(1) < OLDEST[1]);
      if (old) {
        throw new GitException(
            "the server's machine has %s: repositories need version %d.%d"
                .formatted(words, OLDEST[0], OLDEST[1]));
      }
    }

    /** Refuses a commit whose files are too many or too large, before one of them is written. */
    private void requireRoom(String commit) throws IOException, GitException, InterruptedException {
      run("ls-tree", "-r", "-l", "-z", commit);
      long sum = 0;
      int count = 0;
      try (Scanner entries =
          new Scanner(scratch.resolve("out"), StandardCharsets.ISO_8859_1).useDelimiter("\0")) {
        // An entry at a time: a small repository may name very many files.
        while (entries.hasNext() && count <= limits.files() && sum <= limits.bytes()) {
          String entry = entries.next();
          int tab = entry.indexOf('\t');
          String[] words = tab < 0 ? new String[0] : entry.substring(0, tab).split(" +");
          if (words.length == 4) {
            count++;
            sum += words[3].equals("-") ? 0 : Long.parseLong(words[3]);
          }
        }
        if (entries.ioException() != null) {
          throw entries.ioException();
        }
      }
      if (count > limits.files() || sum > limits.bytes()) {
        throw new GitException(
            "%s has %,d files with %,d MB or more at %s, and %,d files with %,d MB are allowed"
                .formatted(
                    source.url(),
                    count,
                    sum >> 20,
                    source.ref(),
                    limits.files(),
                    limits.bytes() >> 20));
      }
    }

    /** Runs git; its output without the end of the line. */
    private String said(String... words) throws IOException, GitException, InterruptedException {
      run(words);
      return read("out");
    }

    private void run(String... words) throws IOException, GitException, InterruptedException {
      List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LIMITED, "git-fetch"));
      command.add(String.valueOf(Math.max(1, limits.bytes() / BLOCK)));
      command.add("git");
      for (String setting :
          List.of(
              "core.hooksPath=/dev/null",
              "core.fsmonitor=false",
              "credential.helper=",
              "http.followRedirects=false",
              "http.proxy=",
              "http.curloptResolve=" + pinned,
              "gc.auto=0",
              "advice.detachedHead=false")) {
        command.addAll(List.of("-c", setting));
      }
      command.addAll(List.of(words));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(scratch.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(scratch.resolve("out").toFile())
              .redirectError(scratch.resolve("err").toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      Process process = builder.start();
      boolean ended = false;
      try {
        ended = process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } finally {
        if (!ended) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        }
      }
      if (!ended) {
        throw new GitException(
            "%s took more than %d s".formatted(source.url(), limits.time().toSeconds()));
      }
      if (process.exitValue() != 0) {
        throw new GitException(reason(read("err")));
      }
    }

    private String reason(String err) {
      if (err.contains("signal 25") || err.contains("File too large")) {
        return "%s has more than %,d MB at %s"
            .formatted(source.url(), limits.bytes() >> 20, source.ref());
      }
      if (err.contains("terminal prompts disabled") || err.contains("Authentication failed")) {
        return source.password() == null
            ? source.url()
                + " asks for a login, or is not there: give user and password: secret:NAME"
            : source.url() + " refuses the login, or is not there";
      }
      String last =
          err.lines()
              .filter(line -> !line.isBlank())
              .reduce((first, second) -> second)
              .orElse("git told no reason");
      return "%s cannot be fetched at %s: %s"
          .formatted(source.url(), source.ref(), last.replaceFirst("^(fatal|error): ", ""));
    }

    private String read(String name) throws IOException {
      try (InputStream in = Files.newInputStream(scratch.resolve(name))) {
        return new String(in.readNBytes(LONGEST_WORDS), StandardCharsets.UTF_8).strip();
      }
    }
  }
}
