package io.orrery.compute.remote;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a machine that it reported when the connection was made.
 *
 * @param base the directory there of the servers that share their work
 * @param ports the directory where each of them notes the port that leads to it
 * @param system such as {@code Linux x86_64}
 * @param python the program; empty when there is none
 * @param pythonVersion such as {@code 3.11.2}; empty when it does not run
 * @param freeMegabytes of the disk that has the base; null when it cannot be told
 * @param skew how far its clock is ahead of ours; negative when it is behind
 * @param keeper the digest of the keeper that it has; empty when it has none that fits
 * @param nvidia whether there is an nvidia-smi
 */
record MachineFacts(
    String base,
    String ports,
    String system,
    String python,
    String pythonVersion,
    @Nullable Long freeMegabytes,
    Duration skew,
    String keeper,
    boolean nvidia) {

  /** The directory where the agents of servers have their sockets, each by the name of its note. */
  String agents() {
    int name = ports.lastIndexOf('/') + 1;
    return ports.substring(0, name) + ".agents/" + ports.substring(name);
  }

  static MachineFacts of(String said, Instant now) {
    Map<String, String> lines = lines(said);
    String free = lines.getOrDefault("free", "");
    String time = lines.getOrDefault("time", "");
    return new MachineFacts(
        lines.getOrDefault("base", ""),
        lines.getOrDefault("ports", ""),
        lines.getOrDefault("system", ""),
        lines.getOrDefault("python", ""),
        lines.getOrDefault("version", ""),
        free.matches("\\d{1,15}") ? Long.valueOf(Long.parseLong(free) / 1024) : null,
        time.matches("\\d{1,12}")
            ? Duration.ofSeconds(Long.parseLong(time) - now.getEpochSecond())
            : Duration.ZERO,
        lines.getOrDefault("keeper", ""),
        lines.containsKey("gpus"));
  }

  /** The lines of the form {@code name=value}. */
  static Map<String, String> lines(String said) {
    Map<String, String> lines = new HashMap<>();
    said.lines()
        .filter(line -> line.indexOf('=') > 0)
        .forEach(line -> {
          int at = line.indexOf('=');
          lines.put(line.substring(0, at), line.substring(at + 1).strip());
        });
    return lines;
  }

  /** Why no trial can run there; null when one can. */
  @Nullable String obstacle() {
    if (base.isEmpty()) {
      return "did not answer as a POSIX shell does";
    }
    if (python.isEmpty()) {
      return "has no python3 on its PATH: trials need Python 3.7 or newer beside them (pythonPath)";
    }
    String[] version = pythonVersion.split("\\.", -1);
    boolean fits =
        version.length >= 2
            && version[0].equals("3")
            && version[1].matches("\\d{1,4}")
            && Integer.parseInt(version[1]) >= 7;
    return fits
        ? null
        : "has "
            + python
            + (pythonVersion.isEmpty() ? ", which does not run" : " of version " + pythonVersion)
            + ": Python 3.7 or newer is needed (pythonPath)";
  }
}
