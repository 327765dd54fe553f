package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests the connection to a kubeconfig's server: which servers are trusted, and which credentials
 * are sent.
 */
class VertxHttpTest extends VertxHttpFixture {
  @Test
  void aServerThatIsTrustedIsToldWhoAsksByTokenAndByCertificate() throws Exception {
    int port = secureServer(ClientAuth.REQUIRED);

    try (Cluster cluster = open(port, "tls-server-name: " + NAME, certified("token: ours"))) {
      assertThat(cluster.read("/version")).hasToString("{\"major\":\"1\"}");
    }
    assertThat(tokens).containsExactly("Bearer ours");
  }

  @Test
  void aServerThatIsNotTheOneOfItsCertificateIsToldNothing() throws Exception {
    int port = secureServer(ClientAuth.NONE);

    try (Cluster cluster = open(port, "", "token: ours")) {
      assertThatThrownBy(() -> cluster.read("/version")).hasMessageContaining("cannot be reached");
    }
    assertThat(tokens).isEmpty();
  }

  @Test
  void everyServerIsTrustedWhereThatIsConfigured() throws Exception {
    int port = secureServer(ClientAuth.NONE);

    try (Cluster cluster = open(port, "insecure-skip-tls-verify: true", "token: ours")) {
      assertThat(cluster.read("/version")).hasToString("{\"major\":\"1\"}");
    }
  }

  @Test
  void whoIsNotKnownAnyMoreLogsInAnew() throws Exception {
    int port = secureServer(ClientAuth.NONE);
    Path token = Files.writeString(directory.resolve("token"), "expired");
    Path login =
        Files.writeString(
            directory.resolve("login"),
            """
            #!/bin/sh
            printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",'
            printf '"status":{"token":"%%s"}}' "$(cat %s)"
            """
                .formatted(token));
    assertThat(login.toFile().setExecutable(true)).isTrue();
    String program =
        """
        exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: %s}
        """
            .formatted(login);

    try (Cluster cluster = open(port, "tls-server-name: " + NAME, program)) {
      Files.writeString(token, "ours");
      assertThat(cluster.read("/version")).hasToString("{\"major\":\"1\"}");
    }
    assertThat(tokens).containsExactly("Bearer expired", "Bearer ours");
  }

  @Test
  void aServerBehindAProxyIsReachedThroughIt() throws Exception {
    int port = secureServer(ClientAuth.NONE);
    Queue<String> asked = new ConcurrentLinkedQueue<>();
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Cluster cluster =
            open(
                port,
                "tls-server-name: "
                    + NAME
                    + "\n      proxy-url: http://me:known@localhost:"
                    + proxy.getLocalPort(),
                "token: ours")) {
      Thread.ofVirtual().start(() -> tunnel(proxy, port, asked));
      assertThat(cluster.read("/version")).hasToString("{\"major\":\"1\"}");
    }
    String login = Base64.getEncoder().encodeToString("me:known".getBytes(StandardCharsets.UTF_8));
    assertThat(asked).containsExactly("CONNECT localhost:" + port + " HTTP/1.1 Basic " + login);
    assertThat(tokens).containsExactly("Bearer ours");
  }

  /** Leads who asks it to one server; notes what it was asked. */
  private static void tunnel(ServerSocket door, int port, Queue<String> asked) {
    try (Socket here = door.accept();
        Socket there = new Socket("localhost", port)) {
      asked.add(head(here.getInputStream()));
      here.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread back = Thread.ofVirtual().start(() -> pass(there, here));
      pass(here, there);
      back.join();
    } catch (IOException over) {
      // The client sees that its connection is closed.
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /** A request and its login. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the question ends in the middle: " + head);
      }
      head.append((char) next);
    }
    List<String> lines = head.toString().lines().toList();
    String login =
        lines.stream()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("proxy-authorization:"))
            .findFirst()
            .orElse("");
    return lines.getFirst() + login.substring(login.indexOf(':') + 1);
  }

  @Test
  void aStreamThatSaysNothingAnyMoreIsLost() throws Exception {
    int port =
        server(
            new HttpServerOptions(), request -> request.response().setChunked(true).write("{}\n"));

    try (HttpClient client = client(port)) {
      HttpResponse<AsyncBody> head =
          client
              .consumeBytes(
                  client
                      .newHttpRequestBuilder()
                      .uri("http://localhost:" + port + "/")
                      .forStreaming()
                      .build(),
                  (pieces, body) -> body.consume())
              .get(10, TimeUnit.SECONDS);
      head.body().consume();

      assertThatThrownBy(() -> head.body().done().get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
  }

  private HttpClient client(int port) {
    return new VertxHttp.Factory(vertx, true, Duration.ofSeconds(2))
        .newBuilder(new ConfigBuilder().withMasterUrl("http://localhost:" + port).build())
        .build();
  }

  /** A user's login with a certificate besides. */
  private String certified(String login) {
    return "%s%n      client-certificate: %s%n      client-key: %s"
        .formatted(login, directory.resolve("certificate"), directory.resolve("key"));
  }

  private Cluster open(int port, String cluster, String user) throws IOException {
    boolean blind = cluster.startsWith("insecure");
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: it
            clusters:
              - name: it
                cluster:
                  server: "https://localhost:%d"
                  %s
                  %s
            users:
              - name: me
                user:
                  %s
            contexts: [{name: it, context: {cluster: it, user: me, namespace: trials}}]
            """
                .formatted(
                    port,
                    blind ? "" : "certificate-authority: " + directory.resolve("certificate"),
                    cluster,
                    user.strip()),
            StandardCharsets.UTF_8);
    return Cluster.open(new ClusterAddress(kubeconfig.toString(), null, null), vertx);
  }

  /** One that knows one token. */
  private int secureServer(ClientAuth certificates) {
    return server(secure(certificates), this::answer);
  }

  private void answer(HttpServerRequest request) {
    String token = request.getHeader("Authorization");
    tokens.add(String.valueOf(token));
    if ("Bearer ours".equals(token)) {
      request.response().end("{\"major\":\"1\"}");
    } else {
      request.response().setStatusCode(401).end("{\"message\":\"Unauthorized\"}");
    }
  }
}
