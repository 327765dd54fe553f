package io.orrery.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Servers of one machine that share a database, a directory and what they have to do. */
public final class ServersTogether {
  public static final Duration PATIENCE = Duration.ofSeconds(180);

  private final int lease;
  private final Path homes;
  private final Path shared;
  private final String database;
  private final List<Integer> ports;

  /** The packaged distribution of servers that begin; null for that of this build. */
  private @Nullable Path distribution;

  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * @param homes below which each has its home
   * @param count how many there may be
   * @param lease how many seconds an experiment is waited for whose server has gone
   */
  public ServersTogether(Path homes, String database, int count, int lease) throws IOException {
    this.lease = lease;
    this.homes = homes;
    this.database = database;
    this.shared = Files.createDirectories(homes.resolve("shared")).toRealPath();
    this.ports = Stream.generate(FreePort::take).limit(count).toList();
  }

  /** What all of them see. */
  public Path shared() {
    return shared;
  }

  /** Has servers that begin from now on be those of another distribution, null of this build. */
  public void startFrom(@Nullable Path distribution) {
    this.distribution = distribution;
  }

  /**
   * Begins to start one.
   *
   * @param place among the members, from 0
   * @param more keys of its configuration
   */
  public ServerProcess begin(String name, int place, String more, String... flags)
      throws IOException {
    return begin(name, database, ports, ports.get(place), more, flags);
  }

  /** The same for one that knows another way to the database. */
  public ServerProcess beginAt(String name, int place, String ownDatabase) throws IOException {
    return begin(name, ownDatabase, ports, ports.get(place), "");
  }

  /**
   * The same for one that the others reach through wires.
   *
   * @param members what the wires to the members are
   * @param port its own among the members
   * @param more keys of cluster, and others
   */
  public ServerProcess beginBehind(
      List<Integer> members, String name, int port, String more, String... flags)
      throws IOException {
    return begin(name, database, members, port, more, flags);
  }

  private ServerProcess begin(
      String name,
      String itsDatabase,
      List<Integer> members,
      int port,
      String more,
      String... flags)
      throws IOException {
    Path home = Files.createDirectories(homes.resolve(name)).toRealPath();
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        store: {url: '%s'}
        cluster:
          members: [%s]
          port: %d
          directory: '%s'
          lease: %d
        %s
        """
            .formatted(
                itsDatabase,
                members.stream()
                    .map(member -> "'127.0.0.1:" + member + "'")
                    .collect(Collectors.joining(", ")),
                port,
                shared,
                lease,
                more));
    List<String> all = new ArrayList<>();
    if (!List.of(flags).contains("--port")) {
      all.addAll(List.of("--port", "0"));
    }
    all.addAll(List.of(flags));
    if (!all.contains("--router-port")) {
      all.addAll(List.of("--router-port", "off"));
    }
    return distribution == null
        ? ServerProcess.begin(home, all, Map.of())
        : ServerProcess.begin(home, all, distribution);
  }

  public static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  /** Which server has each experiment, as one of them says; only those that have one. */
  public static Map<String, String> owners(ServerProcess asked) throws Exception {
    Map<String, String> owners = new TreeMap<>();
    for (JsonNode lease : asked.get("/cluster").get("leases")) {
      String name = lease.get("name").textValue();
      if (name.startsWith("experiment/")) {
        owners.put(name.substring("experiment/".length()), lease.get("url").textValue());
      }
    }
    return owners;
  }

  public static boolean allAt(ServerProcess asked, ServerProcess owner, List<String> experiments)
      throws Exception {
    Map<String, String> owners = owners(asked);
    return experiments.stream().allMatch(id -> owner.url().toString().equals(owners.get(id)));
  }

  public static long succeeded(ServerProcess asked, String id) throws Exception {
    return asked.get("/experiments/" + id).get("trialCounts").path("SUCCEEDED").asLong();
  }

  /** Waits until each has so many more trials that succeeded than now. */
  public static void awaitMore(ServerProcess asked, List<String> experiments, long more)
      throws Exception {
    for (String id : experiments) {
      long before = succeeded(asked, id);
      await("more trials of " + id, () -> succeeded(asked, id) >= before + more);
    }
  }

  public static void signal(ServerProcess server, String signal) throws Exception {
    assertThat(
            new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid())).start().waitFor())
        .isZero();
  }
}
