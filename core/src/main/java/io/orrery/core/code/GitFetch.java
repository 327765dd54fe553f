package io.orrery.core.code;

import io.orrery.core.http.PublicAddresses;
import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fetches one commit of a repository with the program {@code git}, without its history. No hook,
 * filter, submodule, alternate, redirect or configuration of the machine counts; the address is
 * looked up once and checked; the sizes are known before a file is written. Blocks.
 */
public final class GitFetch {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40,64}");

  /** Git takes the address of a host from its configuration since this version. */
  private static final int[] OLDEST = {2, 37};

  private final CodeLimits limits;
  private final Predicate<InetAddress> allowed;
  private final SearchPath programs;

  /**
   * @param limits of all files together, and of what is sent
   * @param allowed whether a repository may lie at an address that is not public
   * @param programs where git is found
   */
  public GitFetch(CodeLimits limits, Predicate<InetAddress> allowed, SearchPath programs) {
    this.limits = limits;
    this.allowed = allowed;
    this.programs = programs;
  }

  /** A sentence about the program that is missing on this machine; null when it is there. */
  public static @Nullable String missing(SearchPath programs) {
    return programs.find("git").isPresent()
        ? null
        : "the server's machine has no git (Debian and Ubuntu: apt install git)";
  }

  /**
   * Fetches a commit.
   *
   * @param scratch an empty directory that no other user of the machine may read; what is in it
   *     afterwards is the caller's to delete, also after a failure
   * @param time for the fetch and all that is written of it
   */
  public FetchedCommit fetch(GitRemote remote, Path scratch, Duration time)
      throws IOException, GitException, InterruptedException {
    String absent = missing(programs);
    if (absent != null) {
      throw new GitException(absent);
    }
    List<InetAddress> addresses = addresses(remote);
    if (remote.login() != null
        && !remote.isSealed()
        && addresses.stream().anyMatch(PublicAddresses::contains)) {
      throw new GitException("a secret is sent by https only");
    }
    GitProgram git =
        new GitProgram(scratch, programs, limits, remote, resolution(remote, addresses), time);
    requireVersion(git.said("version"));
    git.run("init", "--quiet", "--bare", "--template=");
    git.run(
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-auto-gc",
        "--no-write-commit-graph",
        "--",
        remote.url().toString(),
        remote.ref());
    String commit = git.said("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}");
    if (!COMMIT.matcher(commit).matches()) {
      throw new GitException("git names no commit");
    }
    return new FetchedCommit(git, limits, commit);
  }

  /** The addresses of the host, looked up once: no others are connected to. */
  private List<InetAddress> addresses(GitRemote remote) throws GitException {
    String host = remote.url().getHost();
    InetAddress[] all;
    try {
      all = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new GitException("there is no host " + host);
    }
    List<InetAddress> reached =
        Arrays.stream(all)
            .filter(address -> PublicAddresses.contains(address) || allowed.test(address))
            .toList();
    if (reached.isEmpty()) {
      throw new GitException(
          host + " is not on the Internet: an administrator allows other networks by git.networks");
    }
    return reached;
  }

  /** The setting that makes git connect to them; empty for a host that is an IPv6 address. */
  private static String resolution(GitRemote remote, List<InetAddress> addresses) {
    String host = remote.url().getHost();
    return host.startsWith("[")
        ? ""
        : addresses.stream()
            .map(GitFetch::words)
            .collect(Collectors.joining(",", host + ":" + remote.port() + ":", ""));
  }

  private static String words(InetAddress address) {
    String text = address.getHostAddress().replaceAll("%.*$", "");
    return address instanceof Inet6Address ? "[" + text + "]" : text;
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
}
