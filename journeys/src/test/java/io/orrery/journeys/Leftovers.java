package io.orrery.journeys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processes that trials left behind: every process of a trial carries its home in its environment.
 */
public final class Leftovers {
  private Leftovers() {}

  /** The living processes whose environment mentions a path below this home's experiments. */
  public static List<String> of(Path home) {
    String mark = "NNI_SYS_DIR=" + home;
    return ProcessHandle.allProcesses()
        .filter(process -> environment(process).contains(mark))
        .map(process -> process.pid() + " " + process.info().commandLine().orElse("?"))
        .toList();
  }

  private static String environment(ProcessHandle process) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // gone, or not ours
    }
  }
}
