package io.orrery.orchestrator.git;

import io.orrery.core.code.CodeRepository;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code git} for one fetch: without settings of a user or a system, without hooks, filters,
 * submodules and redirects, by the one address that was checked, and with limits of time, memory
 * and sizes of files. Blocks.
 */
final class GitProgram {
  private static final int MOST_FILE_BLOCKS = 2 * 600 * 1024;
  private static final int MOST_MEMORY_KB = 4 << 20;
  private static final int NOT_FOUND = 127;
  private static final int MOST_WORDS = 300;
  private static final int MOST_TEXT = 64 << 10;

  /** Limits that all of its processes inherit. */
  private static final String LIMITED =
      "ulimit -c 0; ulimit -f %d; ulimit -v %d; exec \"$@\""
          .formatted(MOST_FILE_BLOCKS, MOST_MEMORY_KB);

  private final Path draft;
  private final Map<String, String> environment;
  private final long end;

  /**
   * @param draft an empty directory of its own, which becomes its repository and its home
   * @param path of the server's programs
   * @param authorization the value of the header; null for none
   * @param end of {@link System#nanoTime}
   */
  GitProgram(
      Path draft,
      String path,
      CodeRepository source,
      InetAddress address,
      @Nullable String authorization,
      long end) {
    this.draft = draft;
    this.end = end;
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("core.hooksPath", "/dev/null");
    settings.put("core.bigFileThreshold", "8m");
    settings.put("core.fsmonitor", "false");
    settings.put("fetch.unpackLimit", "1");
    settings.put("fetch.fsckObjects", "true");
    settings.put("gc.auto", "0");
    settings.put("maintenance.auto", "false");
    settings.put("pack.threads", "1");
    settings.put("http.followRedirects", "false");
    settings.put("http.lowSpeedLimit", "1000");
    settings.put("http.lowSpeedTime", "20");
    settings.put("http.maxRequests", "2");
    String host = source.url().getHost();
    if (!host.startsWith("[")) {
      settings.put(
          "http.curloptResolve", "%s:%d:%s".formatted(host, source.port(), words(address)));
    }
    if (authorization != null) {
      settings.put("http.extraHeader", "Authorization: " + authorization);
    }
    this.environment = environment(draft, path, settings);
  }

  private static Map<String, String> environment(
      Path draft, String path, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "PATH",
        Arrays.stream(path.split(":"))
            .filter(directory -> directory.startsWith("/"))
            .collect(Collectors.joining(":")));
    all.put("HOME", draft.toString());
    all.put("LC_ALL", "C");
    all.put("GIT_DIR", draft.resolve("repository").toString());
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

  private static String words(InetAddress address) {
    String text = address.getHostAddress().replaceAll("%.*$", "");
    return address instanceof Inet6Address ? "[" + text + "]" : text;
  }

  /** Basic authentication by a secret: {@code USER:PASSWORD}, or a token alone. */
  static String authorization(String secret) {
    String plain = secret.strip();
    String both = plain.contains(":") ? plain : "git:" + plain;
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  /** The file with what a command printed. */
  Path printed() {
    return draft.resolve("printed");
  }

  /** What a command printed, when it is short. */
  String text() throws IOException {
    return beginning(printed()).strip();
  }

  /**
   * Runs a command to its end.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it fails or takes too long
   */
  void run(String... words) throws IOException {
    Path errors = draft.resolve("errors");
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", LIMITED, "git", "git"));
    line.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(draft.toFile())
            .redirectOutput(printed().toFile())
            .redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        throw refused("it took too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused("the server was stopped");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw refused(fault(beginning(errors), process.exitValue()));
    }
  }

  private static String beginning(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MOST_TEXT), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last words of git, which name no secret: it has none in its arguments. */
  private static String fault(String errors, int code) {
    if (code == NOT_FOUND) {
      return "the server's machine has no git (Debian and Ubuntu: apt install git)";
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

  static RuntimeException refused(String why) {
    return new Problem.Refused(new Finding("", "the code cannot be fetched: " + why)).toException();
  }
}
