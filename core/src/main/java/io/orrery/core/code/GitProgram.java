package io.orrery.core.code;

import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs {@code git} for one fetch: without settings of a user or a system, without hooks, filters,
 * submodules and redirects, by the addresses that were checked, and with limits of time, memory and
 * sizes of files. Blocks.
 */
final class GitProgram {
  private static final int BLOCK = 512;
  private static final int MOST_MEMORY_KB = 4 << 20;
  private static final int MOST_WORDS = 300;
  private static final int MOST_TEXT = 64 << 10;

  private final Path scratch;
  private final GitRemote remote;
  private final CodeLimits limits;
  private final Duration time;
  private final Map<String, String> environment;
  private final long end;

  /**
   * @param scratch an empty directory, which becomes its repository and its home
   * @param resolution the addresses that a host has, as curl takes them; empty for no host
   */
  GitProgram(
      Path scratch,
      SearchPath programs,
      CodeLimits limits,
      GitRemote remote,
      String resolution,
      Duration time) {
    this.scratch = scratch;
    this.remote = remote;
    this.limits = limits;
    this.time = time;
    this.end = System.nanoTime() + time.toNanos();
    this.environment = environment(scratch, programs, settings(remote, resolution));
  }

  private static Map<String, String> settings(GitRemote remote, String resolution) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("core.hooksPath", "/dev/null");
    settings.put("core.bigFileThreshold", "8m");
    settings.put("core.fsmonitor", "false");
    settings.put("credential.helper", "");
    settings.put("fetch.unpackLimit", "1");
    settings.put("fetch.fsckObjects", "true");
    settings.put("gc.auto", "0");
    settings.put("maintenance.auto", "false");
    settings.put("pack.threads", "1");
    settings.put("http.proxy", "");
    settings.put("http.followRedirects", "false");
    settings.put("http.lowSpeedLimit", "1000");
    settings.put("http.lowSpeedTime", "20");
    settings.put("http.maxRequests", "2");
    if (!resolution.isEmpty()) {
      settings.put("http.curloptResolve", resolution);
    }
    if (remote.login() != null) {
      settings.put("http.extraHeader", "Authorization: " + remote.login().header());
    }
    return settings;
  }

  /** Settings stand in the environment: no other user of the machine can read it. */
  private static Map<String, String> environment(
      Path scratch, SearchPath programs, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "PATH",
        Arrays.stream(programs.text().split(":"))
            .filter(directory -> directory.startsWith("/"))
            .collect(Collectors.joining(":")));
    all.put("HOME", scratch.toString());
    all.put("LC_ALL", "C");
    all.put("GIT_DIR", scratch.resolve("repository").toString());
    all.put("GIT_CONFIG_NOSYSTEM", "1");
    all.put("GIT_CONFIG_GLOBAL", "/dev/null");
    all.put("GIT_ATTR_NOSYSTEM", "1");
    all.put("GIT_ALLOW_PROTOCOL", "http:https");
    all.put("GIT_TERMINAL_PROMPT", "0");
    all.put("GIT_ASKPASS", "true");
    all.put("GIT_LFS_SKIP_SMUDGE", "1");
    int number = 0;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      all.put("GIT_CONFIG_KEY_" + number, setting.getKey());
      all.put("GIT_CONFIG_VALUE_" + number, setting.getValue());
      number++;
    }
    all.put("GIT_CONFIG_COUNT", Integer.toString(number));
    return all;
  }

  /** The file with what the last command printed. */
  Path printed() {
    return scratch.resolve("printed");
  }

  /** Runs a command, and returns the beginning of what it printed, without blanks around it. */
  String said(String... words) throws IOException, GitException, InterruptedException {
    run(words);
    return beginning(printed()).strip();
  }

  /** Runs a command to its end; fails when it takes too long or its code is not 0. */
  void run(String... words) throws IOException, GitException, InterruptedException {
    Path errors = scratch.resolve("errors");
    // Limits that all of its processes inherit.
    String limited =
        "ulimit -c 0; ulimit -f %d; ulimit -v %d; exec \"$@\""
            .formatted(Math.max(1, limits.bytes() / BLOCK), MOST_MEMORY_KB);
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", limited, "git-fetch", "git"));
    line.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(scratch.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(printed().toFile())
            .redirectError(errors.toFile());
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
      throw new GitException("it took more than %d s".formatted(time.toSeconds()));
    }
    if (process.exitValue() != 0) {
      throw new GitException(reason(beginning(errors), process.exitValue()));
    }
  }

  /** The last words of git, which name no secret: it has none in its arguments. */
  private String reason(String errors, int code) {
    // The program that is ended by the limit of files says nothing itself.
    if (errors.strip().equals("fatal: fetch-pack: invalid index-pack output")
        || errors.contains("File too large")) {
      return "it has more than %,d MB, or was sent damaged".formatted(limits.bytes() >> 20);
    }
    if (errors.contains("could not read Username")
        || errors.contains("terminal prompts disabled")
        || errors.contains("Authentication failed")) {
      return remote.login() == null
          ? "it asks for a login, or is not there: give " + remote.loginKeys()
          : "it refuses the login, or is not there";
    }
    String found = "git ended with " + code;
    for (String line : errors.split("\n", -1)) {
      if (line.startsWith("fatal: ") || line.startsWith("error: ")) {
        found = line.substring("fatal: ".length());
      }
    }
    String plain = found.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.substring(0, Math.min(plain.length(), MOST_WORDS));
  }

  private static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MOST_TEXT), StandardCharsets.UTF_8);
    }
  }
}
