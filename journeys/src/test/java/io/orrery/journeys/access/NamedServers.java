package io.orrery.journeys.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import io.orrery.journeys.TestAuthority;
import io.orrery.journeys.TestAuthority.Issued;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers that listen with TLS under a host name at an address that is not loopback, asked by curl
 * and the command line in turns.
 */
final class NamedServers implements AutoCloseable {
  static final String NAME = "team.orrery.test";

  private static final int LEASE_SECONDS = 6;
  private static final String STATUS = "\n%{http_code} %{redirect_url}";

  private final Path temp;
  private final String address = ownAddress();
  private final TestAuthority authority;
  private final Issued certificate;
  private final Path hosts;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  /** The end of a command. */
  record Ended(int code, String out, String err) {
    JsonNode json() {
      return Json.parse(out);
    }
  }

  /**
   * An answer over HTTP.
   *
   * @param location where it sends the client; empty for nowhere
   */
  record Answer(int status, String body, String location) {
    JsonNode json() {
      return Json.parse(body);
    }
  }

  private NamedServers(Path temp) throws Exception {
    this.temp = temp.toRealPath();
    this.authority = new TestAuthority(temp.resolve("authority"));
    this.certificate = authority.issue("server", 90, "dns:" + NAME);
    this.hosts = Files.writeString(temp.resolve("hosts"), address + " " + NAME + "\n");
  }

  /** Starts one with files of its own. */
  static NamedServers onSqlite(Path temp, String more) throws Exception {
    return alone(temp, more);
  }

  /** Starts one on PostgreSQL. */
  static NamedServers onPostgres(Path temp, String more) throws Exception {
    return alone(temp, more + "store: {url: '" + PostgresServer.newDatabase() + "'}\n");
  }

  private static NamedServers alone(Path temp, String more) throws Exception {
    NamedServers all = new NamedServers(temp);
    int port = FreePort.take();
    Path home = Files.createDirectories(all.temp.resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), all.keys(port) + more);
    all.add(
        port,
        ServerProcess.begin(
            home, List.of("--port", Integer.toString(port), "--router-port", "off"), Map.of()));
    return all;
  }

  /**
   * Starts several that share a database.
   *
   * @param meanwhile what has to be done when the first is there, and before the others are
   */
  static NamedServers together(Path temp, String more, int count, Step meanwhile) throws Exception {
    NamedServers all = new NamedServers(temp);
    ServersTogether together =
        new ServersTogether(all.temp, PostgresServer.newDatabase(), count, LEASE_SECONDS);
    try {
      for (int i = 0; i < count; i++) {
        int port = FreePort.take();
        all.add(
            port,
            together.begin("home" + i, i, all.keys(port) + more, "--port", Integer.toString(port)));
        if (i == 0) {
          meanwhile.take(all);
        }
      }
      return all;
    } catch (Exception | AssertionError e) {
      all.close();
      throw e;
    }
  }

  /** A step of a test. */
  interface Step {
    void take(NamedServers servers) throws Exception;
  }

  private void add(int port, ServerProcess begun) throws Exception {
    servers.add(begun);
    ports.add(port);
    begun.ready(ServersTogether.PATIENCE);
  }

  private String keys(int port) {
    return """
    http:
      host: %s
      advertiseUrl: https://%s:%d
      tls: {certificate: '%s', key: '%s', localPort: 0}
    """
        .formatted(address, NAME, port, certificate.certificate(), certificate.key());
  }

  /** An address of this machine that others reach; loopback on a machine without a network. */
  private static String ownAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse("127.0.0.1");
  }

  int count() {
    return servers.size();
  }

  ServerProcess first() {
    return servers.getFirst();
  }

  /** The address of the server whose turn it is. */
  String url() {
    return url(turn.getAndIncrement() % ports.size());
  }

  String url(int server) {
    return "https://" + NAME + ":" + ports.get(server);
  }

  /**
   * Asks the server whose turn it is.
   *
   * @param as the header that says who asks; empty when it shows none
   * @param body empty for none
   */
  Answer curl(String as, String method, String path, String body) throws Exception {
    return curl(url(), as, method, path, body);
  }

  Answer curl(String url, String as, String method, String path, String body, String... more)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("curl", "--silent", "--show-error", "--max-time", "30", "--request", method));
    for (int port : ports) {
      command.addAll(List.of("--resolve", NAME + ":" + port + ":" + address));
    }
    command.addAll(List.of("--cacert", authority.certificate().toString()));
    command.addAll(List.of("--write-out", STATUS));
    if (!as.isEmpty()) {
      command.addAll(List.of("--header", as));
    }
    if (!body.isEmpty()) {
      command.addAll(List.of("--header", "Content-Type: application/json"));
      command.addAll(List.of("--data-binary", body));
    }
    command.addAll(List.of(more));
    command.add(url + path);
    Ended ended = run(new ProcessBuilder(command), "");
    assertThat(ended.code()).as(ended.err()).isZero();
    int last = ended.out().lastIndexOf('\n');
    String[] written = ended.out().substring(last + 1).split(" ", 2);
    return new Answer(Integer.parseInt(written[0]), ended.out().substring(0, last), written[1]);
  }

  /** Runs the command line on the machine of a person, with what is typed there. */
  Ended orrery(String person, String typed, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", temp.resolve("laptop-" + person).toString());
    builder.environment().put("SSL_CERT_FILE", authority.certificate().toString());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts);
    return run(builder, typed);
  }

  private Ended run(ProcessBuilder builder, String typed) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    Process process = builder.redirectError(err.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(typed.getBytes(UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  @Override
  public void close() {
    servers.reversed().forEach(ServerProcess::close);
  }
}
