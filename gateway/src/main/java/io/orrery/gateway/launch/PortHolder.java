package io.orrery.gateway.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the process that listens on a port in /proc, for an error message. */
final class PortHolder {
  private static final String LISTENING = "0A";

  private PortHolder() {}

  /** The process that listens on a TCP port of this machine. */
  static Optional<ProcessHandle> of(int port) {
    Set<String> sockets = new HashSet<>();
    for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
      sockets.addAll(listening(Path.of(table), port));
    }
    return sockets.isEmpty()
        ? Optional.empty()
        : ProcessHandle.allProcesses().filter(process -> holds(process, sockets)).findFirst();
  }

  private static Set<String> listening(Path table, int port) {
    String suffix = ":" + String.format(Locale.ROOT, "%04X", port);
    Set<String> sockets = new HashSet<>();
    try (Stream<String> lines = Files.lines(table)) {
      lines
          .map(line -> line.strip().split("\\s+"))
          .filter(cell -> cell.length > 9 && cell[1].endsWith(suffix) && cell[3].equals(LISTENING))
          .forEach(cell -> sockets.add("socket:[" + cell[9] + "]"));
    } catch (IOException e) {
      return Set.of(); // no such table on this machine: none is named
    }
    return sockets;
  }

  private static boolean holds(ProcessHandle process, Set<String> sockets) {
    Path descriptors = Path.of("/proc/" + process.pid() + "/fd");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
      for (Path entry : entries) {
        if (Files.isSymbolicLink(entry)
            && sockets.contains(Files.readSymbolicLink(entry).toString())) {
          return true;
        }
      }
    } catch (IOException | SecurityException e) {
      return false; // not ours to look at, or gone meanwhile
    }
    return false;
  }
}
