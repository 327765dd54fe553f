package io.orrery.journeys.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The TCP ports at which a process and those that it started listen, as Linux tells them. */
final class ListeningPorts {
  private static final String LISTENS = "0A";

  private ListeningPorts() {}

  static Set<Integer> of(long pid) throws IOException {
    Set<String> sockets = new HashSet<>();
    Stream.concat(
            ProcessHandle.of(pid).stream(),
            ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants))
        .forEach(process -> sockets.addAll(sockets(process.pid())));
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (Files.exists(Path.of(table))) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] fields = line.strip().split("\\s+");
          if (fields[3].equals(LISTENS) && sockets.contains("socket:[" + fields[9] + "]")) {
            ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
          }
        }
      }
    }
    return ports;
  }

  private static Set<String> sockets(long pid) {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path each : all.toList()) {
        sockets.add(target(each));
      }
    } catch (IOException e) {
      // It has ended.
      return Set.of();
    }
    return sockets;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // It was closed after it was listed.
      return "";
    }
  }
}
