package io.orrery.cli.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that starts this program once more.
 *
 * @param command the words before the verb
 */
public record ServerProgram(List<String> command) {
  public ServerProgram {
    command = List.copyOf(command);
  }

  /**
   * The launcher script that started this process, which knows the JVM's flags for a server;
   * without one the same Java with the same classes.
   */
  public static ServerProgram ofThisProcess() {
    String launcher = System.getProperty("orrery.launcher");
    if (launcher != null) {
      return new ServerProgram(List.of(launcher));
    }
    // The other process runs in the directory of its home.
    String named = System.getProperty("java.class.path", "");
    String classes = absolute(named);
    String started = System.getProperty("sun.java.command", "");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("--enable-native-access=ALL-UNNAMED");
    if (started.startsWith(named)) {
      command.addAll(List.of("-jar", classes));
    } else {
      command.addAll(List.of("-cp", classes, started.split(" ", 2)[0]));
    }
    return new ServerProgram(command);
  }

  static String absolute(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The command with arguments, in a session of its own: Ctrl-C goes to everything in the session
   * of the terminal, and the server must outlive the key.
   */
  List<String> inOwnSession(List<String> arguments, Map<String, String> environment) {
    List<String> words = new ArrayList<>();
    if (isOnPath("setsid", environment)) {
      words.add("setsid");
    } else {
      // macOS has no such command; Python is there because trials need it.
      words.addAll(
          List.of(
              "python3",
              "-c",
              "import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])"));
    }
    words.addAll(command);
    words.addAll(arguments);
    return words;
  }

  private static boolean isOnPath(String name, Map<String, String> environment) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }
}
