package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reaches services by an address and a port, as clients of databases do. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ExposedServiceIT extends ServiceJourney {
  /** Says its name on each of two ports, then what it hears, until there is no more to hear. */
  private static final String ECHO =
      """
      import os, socketserver, threading
      class Echo(socketserver.StreamRequestHandler):
          def handle(self):
              self.wfile.write((self.server.called + '\\n').encode())
              while (piece := self.rfile.read1()):
                  self.wfile.write(piece)
              self.wfile.write(b'end\\n')
      class Server(socketserver.ThreadingTCPServer):
          allow_reuse_address = True
          daemon_threads = True
      def serve(port, called):
          server = Server(('127.0.0.1', int(port)), Echo)
          server.called = called
          threading.Thread(target=server.serve_forever).start()
      serve(os.environ['PORT_HTTP1'], 'second ' + os.environ['GREETING'])
      serve(os.environ['PORT_HTTP0'], 'first ' + os.environ['GREETING'])
      """;

  @Override
  protected void configure() throws Exception {
    Files.writeString(Files.createDirectories(temp.resolve("code")).resolve("echo.py"), ECHO);
  }

  private Path document(String greeting, String expose) throws Exception {
    return Files.writeString(
        temp.resolve("echo.yml"),
        """
        kind: Service
        name: echo
        code: ./code
        command: exec python3 echo.py
        ports: [7474, 7687]
        env: {GREETING: %s}
        grace: 5s
        expose: %s
        """
            .formatted(greeting, expose));
  }

  /** The numbers under which the service is reached, in the order of its ports. */
  private List<Integer> numbers() throws Exception {
    return StreamSupport.stream(state("echo").get("addresses").spliterator(), false)
        .map(JsonNode::textValue)
        .filter(address -> address.startsWith("tcp://127.0.0.1:"))
        .map(address -> URI.create(address).getPort())
        .toList();
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The greeting of the service at a port, before it hears anything. */
  private static String greeting(int port) throws IOException {
    try (Socket socket = connect(port)) {
      return String.valueOf(reader(socket).readLine());
    }
  }

  private void answers(int port, String greeting) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(IOException.class::isInstance)
        .until(() -> greeting(port).equals(greeting));
  }

  @Test
  void bytesReachEachPortAndItsNumberComesBackWhenTheServiceIsDeleted() throws Exception {
    Ended applied = orrery("apply", "-f", document("one", "true").toString());
    assertThat(applied.code()).as(applied.err()).isZero();
    ready("echo");
    List<Integer> numbers = numbers();
    assertThat(numbers).hasSize(2);
    assertThat(numbers.get(1)).isEqualTo(numbers.get(0) + 1);
    answers(numbers.get(0), "first one");
    answers(numbers.get(1), "second one");

    try (Socket socket = connect(numbers.get(1))) {
      BufferedReader reader = reader(socket);
      assertThat(reader.readLine()).isEqualTo("second one");
      socket.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
      assertThat(reader.readLine()).isEqualTo("hello");
      socket.shutdownOutput();
      assertThat(reader.readLine()).isEqualTo("end");
      assertThat(reader.readLine()).isNull();
    }
    assertThat(orrery("describe", "service", "echo").out())
        .contains("tcp://127.0.0.1:" + numbers.get(0));

    server.send("DELETE", path("echo"), BodyPublishers.noBody());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThatThrownBy(() -> connect(numbers.get(0)).close())
                .isInstanceOf(java.net.ConnectException.class));
    assertThat(orrery("apply", "-f", document("two", "true").toString()).code()).isZero();
    assertThat(numbers()).isEqualTo(numbers);
  }

  @Test
  void aReplicaIsReplacedWithoutARefusedConnectionAndKeepsThoseThatItHas() throws Exception {
    assertThat(orrery("apply", "-f", document("one", "true").toString()).err()).isEmpty();
    ready("echo");
    int port = numbers().getFirst();
    answers(port, "first one");
    ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> clients = new ArrayList<>();
    try (Socket kept = connect(port)) {
      BufferedReader reader = reader(kept);
      assertThat(reader.readLine()).isEqualTo("first one");
      for (int i = 0; i < 2; i++) {
        clients.add(
            Thread.ofVirtual()
                .start(() -> {
                  while (!over.get()) {
                    try {
                      String greeting = greeting(port);
                      if (!greeting.startsWith("first ")) {
                        failures.add(greeting);
                      }
                    } catch (IOException e) {
                      failures.add(e.toString());
                    }
                  }
                }));
      }

      assertThat(orrery("apply", "-f", document("two", "true").toString()).out())
          .contains("changed");
      answers(port, "first two");
      kept.getOutputStream().write("still here\n".getBytes(StandardCharsets.UTF_8));
      assertThat(reader.readLine()).isEqualTo("still here");
      assertThat(state("echo").get("replicas")).hasSize(2);
    }
    ready("echo");
    over.set(true);
    for (Thread client : clients) {
      client.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aBusyPortIsAFindingThatNamesItAndIsPassedOver() throws Exception {
    try (ServerSocket other = freeOfTheRange()) {
      int busy = other.getLocalPort();
      Ended refused =
          orrery("apply", "-f", document("one", "{7687: %d}".formatted(busy)).toString());
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("port %d of 127.0.0.1 is in use by another program".formatted(busy));
      assertThat(server.get("/services").get("items")).isEmpty();

      assertThat(orrery("apply", "-f", document("one", "true").toString()).code()).isZero();
      assertThat(numbers()).hasSize(2).doesNotContain(busy);
    }
  }

  /** The first port that a service would be given. */
  private static ServerSocket freeOfTheRange() throws IOException {
    for (int port = 30_000; ; port++) {
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (IOException taken) {
        if (port > 32_000) {
          throw taken;
        }
      }
    }
  }

  @Test
  void aDatabaseIsReachedThroughTheTableOfTheUser() throws Exception {
    URI database = URI.create(PostgresServer.newDatabase());
    int port;
    try (ServerSocket free = freeOfTheRange()) {
      port = free.getLocalPort();
    }
    HttpResponse<String> put =
        server.send(
            "PUT",
            "/routes",
            BodyPublishers.ofString(
                """
                {"services": [{"name": "db", "tcp": {"port": %d}, "endpoints": ["127.0.0.1:%d"]}]}
                """
                    .formatted(port, database.getPort())));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    await()
        .atMost(PATIENCE)
        .until(() -> server.get("/routes").at("/services/0/state/tcp/listening").booleanValue());

    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%d%s".formatted(port, database.getPath()),
                PostgresServer.USER,
                PostgresServer.PASSWORD);
        var statement = connection.createStatement()) {
      statement.execute("create table numbers (n integer)");
      statement.execute("insert into numbers select generate_series(1, 100000)");
      try (ResultSet sum = statement.executeQuery("select sum(n) from numbers")) {
        assertThat(sum.next()).isTrue();
        assertThat(sum.getLong(1)).isEqualTo(5_000_050_000L);
      }
      int rows = 0;
      try (ResultSet all = statement.executeQuery("select n, repeat('x', 100) from numbers")) {
        while (all.next()) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(100_000);
    }
  }
}
