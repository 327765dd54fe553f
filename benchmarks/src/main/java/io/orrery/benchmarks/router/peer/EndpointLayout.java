package io.orrery.benchmarks.router.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The endpoints that can be asked. The hosts {@code s0} to {@code s<domains - 1>} go to the owner;
 * {@code split} gives a tenth of its requests to the canary, {@code pair} has both as endpoints,
 * {@code hedged} asks the other one when the first is slow, {@code mirror}, {@code mirror-slow} and
 * {@code mirror-dead} go to the owner with a copy to a shadow.
 *
 * @param folder for configurations and logs
 * @param protocols what the plain hosts are asked in, and are asked for
 * @param certificate of proxies and of endpoints, where they have TLS
 * @param domains how many plain hosts
 * @param owner port, as the next four
 * @param canary a second version, which can be killed
 * @param shadow answers at once
 * @param slow answers after 2 s
 * @param dead where no process listens
 */
public record EndpointLayout(
    Path folder,
    ProtocolPair protocols,
    ServerCertificate certificate,
    int domains,
    int owner,
    int canary,
    int shadow,
    int slow,
    int dead) {
  /** The percentage of {@code split} that goes to the canary. */
  static final int CANARY_PERCENT = 10;

  /** The names of the mirrored hosts, and the ports of their shadows, in the same order. */
  static final List<String> MIRRORED = List.of("mirror", "mirror-slow", "mirror-dead");

  int shadowOf(String mirrored) {
    return switch (mirrored) {
      case "mirror" -> shadow;
      case "mirror-slow" -> slow;
      default -> dead;
    };
  }

  /** The host by which clients ask for a name. */
  public static String host(String name) {
    return name + ".service.orrery.localhost";
  }

  /** The plain hosts, each in a line of some form. */
  String plain(IntFunction<String> line) {
    return IntStream.range(0, domains).mapToObj(line).collect(Collectors.joining());
  }

  /** Writes a file of a peer's configuration. */
  Path write(String peer, String name, String text) throws IOException {
    Path own = Files.createDirectories(folder.resolve(peer));
    return Files.writeString(own.resolve(name), text);
  }
}
