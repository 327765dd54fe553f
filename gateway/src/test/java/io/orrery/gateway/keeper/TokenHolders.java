package io.orrery.gateway.keeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of an attempt, wherever they run: they alone have its token. */
public record TokenHolders(String token) {
  /** Whether anything of the attempt runs. Keepers belong to no trial. */
  public boolean run() throws IOException {
    for (ProcessHandle process : all()) {
      String line = commandLine(process);
      // Of one that has just ended nothing is left to read.
      if (!line.isEmpty() && !isKeeper(line)) {
        return true;
      }
    }
    return false;
  }

  /** Its keepers. */
  public List<ProcessHandle> keepers() throws IOException {
    List<ProcessHandle> keepers = new ArrayList<>();
    for (ProcessHandle process : all()) {
      if (isKeeper(commandLine(process))) {
        keepers.add(process);
      }
    }
    return keepers;
  }

  private static boolean isKeeper(String line) {
    // As an archive of a pod or of a machine, or as the files of an environment.
    return line.contains("orrery_keeper.pyz")
        || line.contains("/keeper-")
        || line.contains("/keeper\0");
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  /** All of them, its keepers included. */
  public List<ProcessHandle> all() throws IOException {
    String variable = "ORRERY_TRIAL_TOKEN=" + token + "\0";
    List<ProcessHandle> holders = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        try {
          if (environment(process).contains(variable)) {
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                .ifPresent(holders::add);
          }
        } catch (IOException notOursOrGone) {
          continue;
        }
      }
    }
    return holders;
  }

  /** The variables of the first of them. */
  public String environment() throws IOException {
    return environment(Path.of("/proc/" + all().getFirst().pid()));
  }

  private static String environment(Path process) throws IOException {
    return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
  }
}
