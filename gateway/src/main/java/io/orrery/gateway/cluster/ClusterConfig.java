package io.orrery.gateway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.tls.PemFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration by which a server finds the other members of its cluster.
 *
 * @param members {@code host:port} of each, its own among them
 * @param host the address of this machine that the others reach
 * @param port the one that members are found at
 * @param busPort the one that messages come to; 0 for any that is free
 * @param advertised the ports that the others know instead of these
 * @param directory what all servers see; as it was written
 * @param tls what the servers know each other by; null when their connections are not protected
 * @param lease how long a server keeps what it owns after its last word to the database
 */
public record ClusterConfig(
    List<String> members,
    String host,
    int port,
    int busPort,
    Advertised advertised,
    Path directory,
    @Nullable PemFiles tls,
    Duration lease) {
  /**
   * The ports of a server whose own ones are forwarded.
   *
   * @param port that members find it at; 0 for its own
   * @param busPort that messages are sent to; 0 for its own
   */
  public record Advertised(int port, int busPort) {}

  private static final String MEMBER = "[A-Za-z0-9._-]+:[0-9]{1,5}";

  private static final ConfigKey<List<String>> MEMBERS =
      new ConfigKey<>(
          "cluster.members",
          List.of(),
          "a list of host:port, in a variable with commas between",
          "Where the servers that share this one's work are found, itself among them; empty for a"
              + " server that works alone.",
          ClusterConfig::members);

  private static final ConfigKey<String> HOST =
      ConfigKey.text(
          "cluster.host",
          "127.0.0.1",
          "an address of this machine",
          "The address at which the other servers reach this one. Without cluster.tls anyone who can"
              + " reach it has full control: put it on a private network.");

  private static final ConfigKey<Integer> PORT =
      ConfigKey.integer(
          "cluster.port", 5701, 1, 65535, "The port of this server among the members.");

  private static final ConfigKey<Integer> BUS_PORT =
      ConfigKey.integer(
          "cluster.busPort",
          0,
          0,
          65535,
          "The port that messages of the others come to; 0 takes any that is free.");

  private static final ConfigKey<Integer> ADVERTISE_PORT =
      ConfigKey.integer(
          "cluster.advertisePort",
          0,
          0,
          65535,
          "The port that the others know instead of cluster.port, where that is forwarded; 0 for"
              + " itself.");

  private static final ConfigKey<Integer> ADVERTISE_BUS_PORT =
      ConfigKey.integer("cluster.advertiseBusPort", 0, 0, 65535, "The same for cluster.busPort.");

  private static final ConfigKey<String> DIRECTORY =
      ConfigKey.text(
          "cluster.directory",
          null,
          "a directory that all of the servers see at the same path",
          "Where the files of experiments and the keys of trials and secrets are when servers share"
              + " work.");

  private static final ConfigKey<String> CERTIFICATE =
      ConfigKey.text(
          "cluster.tls.certificate",
          null,
          "a PEM file",
          "The certificate that this server shows the others, those that signed it after it; then"
              + " servers speak TLS with each other. All of them need it.");

  private static final ConfigKey<String> KEY =
      ConfigKey.text("cluster.tls.key", null, "a PEM file", "Its private key, without a password.");

  private static final ConfigKey<String> AUTHORITY =
      ConfigKey.text(
          "cluster.tls.authority",
          null,
          "a PEM file",
          "The certificates that sign those of servers. A program that has one is a server: let the"
              + " authority sign for nothing else.");

  private static final ConfigKey<Integer> LEASE =
      ConfigKey.integer(
          "cluster.lease",
          6,
          2,
          300,
          "Seconds without a heartbeat of a server after which others take over its experiments; the"
              + " same for all.");

  /** All keys. */
  public static final List<ConfigKey<?>> KEYS =
      List.of(
          MEMBERS,
          HOST,
          PORT,
          BUS_PORT,
          ADVERTISE_PORT,
          ADVERTISE_BUS_PORT,
          DIRECTORY,
          CERTIFICATE,
          KEY,
          AUTHORITY,
          LEASE);

  public ClusterConfig {
    members = List.copyOf(members);
  }

  /**
   * Reads it; null when the server works alone.
   *
   * @param database whether there is one that servers can share
   * @throws io.orrery.core.problem.ProblemException Refused when something is missing
   */
  public static @Nullable ClusterConfig of(Config config, boolean database) {
    List<String> members = config.get(MEMBERS);
    if (members.isEmpty()) {
      return null;
    }
    List<Finding> findings = new ArrayList<>();
    if (!database) {
      findings.add(
          new Finding(
              "/store/url",
              "servers that share work share a PostgreSQL database: store.url is missing"));
    }
    String directory = config.find(DIRECTORY);
    if (directory == null) {
      findings.add(
          new Finding(
              "/cluster/directory",
              "servers that share work share " + DIRECTORY.bounds() + ": it is missing"));
    }
    PemFiles tls = tls(config, findings);
    if (!findings.isEmpty() || directory == null) {
      throw Problem.Refused.of(findings).toException();
    }
    return new ClusterConfig(
        members,
        config.get(HOST),
        config.get(PORT),
        config.get(BUS_PORT),
        new Advertised(config.get(ADVERTISE_PORT), config.get(ADVERTISE_BUS_PORT)),
        Path.of(directory),
        tls,
        Duration.ofSeconds(config.get(LEASE)));
  }

  private static @Nullable PemFiles tls(Config config, List<Finding> findings) {
    String certificate = config.find(CERTIFICATE);
    String key = config.find(KEY);
    String authority = config.find(AUTHORITY);
    if (certificate == null && key == null && authority == null) {
      return null;
    }
    if (certificate == null || key == null || authority == null) {
      findings.add(
          new Finding(
              "/cluster/tls", "cluster.tls needs all three: certificate, key and authority"));
      return null;
    }
    return new PemFiles("/cluster/tls", Path.of(certificate), Path.of(key), Path.of(authority));
  }

  /** The port that members find it at. */
  int memberPort() {
    return advertised.port() == 0 ? port : advertised.port();
  }

  /** The same with its path made absolute. */
  public ClusterConfig from(Path base) {
    return new ClusterConfig(
        members,
        host,
        port,
        busPort,
        advertised,
        base.resolve(directory),
        tls == null ? null : tls.from(base),
        lease);
  }

  private static List<String> members(JsonNode value) {
    List<String> members = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(member -> members.add(member.asText()));
    } else {
      for (String member : value.asText().split(",", -1)) {
        if (!member.isBlank()) {
          members.add(member.strip());
        }
      }
    }
    if (!members.stream().allMatch(member -> member.matches(MEMBER))) {
      throw new IllegalArgumentException();
    }
    return members;
  }
}
