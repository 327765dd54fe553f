package io.orrery.compute.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The TCP sockets on which processes of this machine listen, from {@code /proc/net/tcp} and the
 * descriptors of the processes (proc(5)).
 */
public final class ListeningSockets {
  private static final String LISTEN = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int IPV4_BYTES = 4;

  private ListeningSockets() {}

  /**
   * A socket that listens.
   *
   * @param address the one that it is bound to, perhaps the wildcard
   */
  public record Listener(InetAddress address, int port) {}

  /**
   * The sockets of some processes; those of processes that are not ours to look into are missing.
   */
  public static List<Listener> of(Collection<Long> pids) throws IOException {
    Map<String, Listener> byInode = new HashMap<>();
    read(Path.of("/proc/net/tcp"), byInode);
    read(Path.of("/proc/net/tcp6"), byInode);
    List<Listener> found = new ArrayList<>();
    for (long pid : pids) {
      if (byInode.isEmpty()) {
        break;
      }
      try (DirectoryStream<Path> all =
          Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
        for (Path descriptor : all) {
          Listener listener = byInode.remove(target(descriptor));
          if (listener != null) {
            found.add(listener);
          }
        }
      } catch (IOException | DirectoryIteratorException gone) {
        // The process has ended, or is another user's.
      }
    }
    return found;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private static void read(Path table, Map<String, Listener> byInode) throws IOException {
    if (!Files.exists(table)) {
      return;
    }
    for (String line : Files.readAllLines(table, StandardCharsets.US_ASCII)) {
      if (!line.contains(LISTEN)) {
        // Most lines are connections, and there may be many.
        continue;
      }
      String[] fields = line.strip().split("\\s+");
      if (fields.length > INODE && fields[STATE].equals(LISTEN)) {
        String[] local = fields[ADDRESS].split(":");
        byInode.put(
            "socket:[" + fields[INODE] + "]",
            new Listener(address(local[0]), Integer.parseInt(local[1], 16)));
      }
    }
  }

  /** An address as Linux prints it: words of 32 bits, each in the order of the machine. */
  static InetAddress address(String hex) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      for (int word = 0; word < bytes.length; word += IPV4_BYTES) {
        swap(bytes, word, word + 3);
        swap(bytes, word + 1, word + 2);
      }
    }
    return InetAddress.getByAddress(bytes);
  }

  private static void swap(byte[] bytes, int one, int other) {
    byte kept = bytes[one];
    bytes[one] = bytes[other];
    bytes[other] = kept;
  }
}
