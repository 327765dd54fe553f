package io.orrery.kubernetes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands by the words of an API server that a test speaks. */
@Timeout(60)
class PodExecTest {
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private boolean hasRoom = true;
  private Runnable quick = () -> {};

  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, SECONDS);
  }

  private final class Recorder implements PodExec.Streams {
    @Override
    public boolean output(byte[] piece) {
      told.add(new String(piece));
      quick.run();
      return hasRoom;
    }

    @Override
    public boolean error(byte[] piece) {
      told.add("error " + new String(piece));
      return hasRoom;
    }

    @Override
    public void ended(@Nullable Integer exitCode, @Nullable String failure) {
      told.add("ended " + exitCode + " " + failure);
    }
  }

  private Cluster cluster(List<String> protocols, Handler<HttpServerRequest> handler)
      throws Exception {
    int port = serve(new HttpServerOptions().setWebSocketSubProtocols(protocols), handler);
    return open("server: \"http://localhost:%d\"".formatted(port));
  }

  private int serve(HttpServerOptions options, Handler<HttpServerRequest> handler)
      throws Exception {
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> {
          asked.add(request.uri() + " " + request.getHeader("Authorization"));
          handler.handle(request);
        })
        .listen(0, "localhost")
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, SECONDS)
        .actualPort();
  }

  private Cluster open(String there) throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: mine
            clusters: [{name: there, cluster: {%s}}]
            users: [{name: me, user: {token: known}}]
            contexts: [{name: mine, context: {cluster: there, user: me, namespace: team}}]
            """
                .formatted(there));
    return Cluster.open(new ClusterAddress(kubeconfig.toString(), null, null), vertx);
  }

  private Cluster cluster(Handler<ServerWebSocket> handler) throws Exception {
    return cluster(
        List.of("v4.channel.k8s.io"), request -> request.toWebSocket().onSuccess(handler));
  }

  private PodExec begin(Cluster cluster) {
    return PodExec.begin(
        cluster,
        vertx,
        "web-1",
        "main",
        List.of("/bin/sh", "-c", "a & b"),
        new TerminalSize(90, 30),
        new Recorder());
  }

  private static Buffer message(int stream, String text) {
    return Buffer.buffer().appendByte((byte) stream).appendString(text);
  }

  @Test
  void aServerIsTheOneOfTheNameInTheKubeconfigWhateverItsAddress() throws Exception {
    Path store = TestKeys.write(directory, "cluster.example");
    BlockingQueue<String> names = new LinkedBlockingQueue<>();
    HttpServerOptions secure =
        new HttpServerOptions()
            .setWebSocketSubProtocols(List.of("v4.channel.k8s.io"))
            .setSsl(true)
            .setSni(true)
            .setKeyCertOptions(
                new PfxOptions().setPath(store.toString()).setPassword(TestKeys.PASSWORD));
    int port =
        serve(
            secure,
            request -> {
              names.add(String.valueOf(request.connection().indicatedServerName()));
              request
                  .toWebSocket()
                  .onSuccess(
                      socket -> socket.writeBinaryMessage(message(3, "{\"status\":\"Success\"}")));
            });
    String there =
        "server: 'https://localhost:%d', certificate-authority: '%s', tls-server-name: %s";
    String authority = directory.resolve("certificate").toString();

    try (Cluster cluster = open(there.formatted(port, authority, "other.example"))) {
      assertThatThrownBy(() -> begin(cluster)).hasMessageContaining("cannot be reached");
    }
    assertThat(asked).isEmpty();
    try (Cluster cluster = open(there.formatted(port, authority, "cluster.example"))) {
      begin(cluster);
      assertThat(told.take()).isEqualTo("ended 0 null");
    }
    assertThat(names).containsExactly("cluster.example");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aTerminalIsAskedForWithItsContainerCommandAndSize() throws Exception {
    BlockingQueue<String> taken = new LinkedBlockingQueue<>();
    try (Cluster cluster =
        cluster(socket ->
            socket.binaryMessageHandler(message ->
                taken.add(message.getByte(0) + message.getString(1, message.length()))))) {
      PodExec exec = begin(cluster);
      exec.write("typed".getBytes());
      exec.write(new byte[40_000]);

      assertThat(taken.take()).isEqualTo("4{\"Width\":90,\"Height\":30}");
      assertThat(taken.take()).isEqualTo("0typed");
      assertThat(List.of(taken.take().length(), taken.take().length(), taken.take().length()))
          .containsExactly(16_385, 16_385, 7_233);
      exec.close();
      assertThat(told.take()).isEqualTo("ended null the connection to the pod broke off");
    }
    assertThat(asked)
        .containsExactly(
            "/api/v1/namespaces/team/pods/web-1/exec?container=main&stdin=true&stdout=true"
                + "&tty=true&command=%2Fbin%2Fsh&command=-c&command=a%20%26%20b Bearer known");
  }

  private PodExec pipe(Cluster cluster) {
    return PodExec.pipe(cluster, vertx, "web-1", "main", List.of("cat"), new Recorder());
  }

  @Test
  void aCommandWithPipesHasItsErrorsApartAndIsToldTheEndOfItsInput() throws Exception {
    BlockingQueue<String> taken = new LinkedBlockingQueue<>();
    try (Cluster cluster =
        cluster(
            List.of("v5.channel.k8s.io", "v4.channel.k8s.io"),
            request ->
                request
                    .toWebSocket()
                    .onSuccess(socket ->
                        socket.binaryMessageHandler(message -> {
                          taken.add((message.getByte(0) & 0xFF) + ":" + message.getString(1, 2));
                          if (message.getByte(0) == (byte) 255) {
                            socket.writeBinaryMessage(message(1, "out"));
                            socket.writeBinaryMessage(message(2, "err"));
                            socket.writeBinaryMessage(Buffer.buffer(new byte[] {(byte) 255, 1}));
                            socket.writeBinaryMessage(message(3, "{\"status\":\"Success\"}"));
                          }
                        })))) {
      PodExec exec = pipe(cluster);
      exec.write("x".getBytes());
      exec.endInput();

      assertThat(taken.take()).isEqualTo("0:x");
      assertThat(taken.take()).isEqualTo("255:\0");
      assertThat(told.take()).isEqualTo("out");
      assertThat(told.take()).isEqualTo("error err");
      assertThat(told.take()).isEqualTo("ended 0 null");
    }
    assertThat(asked)
        .containsExactly(
            "/api/v1/namespaces/team/pods/web-1/exec?container=main&stdin=true&stdout=true"
                + "&stderr=true&command=cat Bearer known");
  }

  @Test
  void anOlderServerIsNotToldTheEndOfTheInputForWhichItHasNoWord() throws Exception {
    BlockingQueue<String> taken = new LinkedBlockingQueue<>();
    try (Cluster cluster =
        cluster(socket ->
            socket.binaryMessageHandler(message ->
                taken.add(message.getByte(0) + message.getString(1, message.length()))))) {
      PodExec exec = pipe(cluster);
      exec.endInput();
      exec.write("x".getBytes());

      assertThat(taken.take()).isEqualTo("0x");
    }
  }

  @Test
  void theStatusTellsTheExitCodeOrWhyNothingBegan() throws Exception {
    Queue<String> statuses =
        new ConcurrentLinkedQueue<>(
            List.of(
                "{\"status\":\"Success\"}",
                """
                {"status":"Failure","reason":"NonZeroExitCode","message":"exit code 7",
                 "details":{"causes":[{"reason":"ExitCode","message":"7"}]}}
                """,
                """
                {"status":"Failure","reason":"InternalError",
                 "message":"exec: \\"/bin/sh\\": no such file"}
                """,
                "no JSON"));
    try (Cluster cluster =
        cluster(socket -> {
          socket.writeBinaryMessage(message(1, ""));
          socket.writeBinaryMessage(message(1, "out"));
          socket.writeBinaryMessage(message(3, statuses.remove()));
        })) {
      for (String end :
          List.of("0 null", "7 null", "null exec: \"/bin/sh\": no such file", "null no JSON")) {
        begin(cluster);
        assertThat(told.take()).isEqualTo("out");
        assertThat(told.take()).isEqualTo("ended " + end);
      }
    }
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsNotTakenWaitsUntilThereIsRoom() throws Exception {
    hasRoom = false;
    try (Cluster cluster =
        cluster(socket -> {
          socket.writeBinaryMessage(message(1, "one"));
          socket.writeBinaryMessage(message(1, "two"));
        })) {
      PodExec exec = begin(cluster);
      assertThat(told.take()).isEqualTo("one");
      assertThat(told).isEmpty();

      exec.resume();

      assertThat(told.take()).isEqualTo("two");
    }
  }

  /** As quick as another thread can be: before the connection is paused. */
  @Test
  void roomThatIsThereAtOnceIsNotMissed() throws Exception {
    hasRoom = false;
    CompletableFuture<PodExec> begun = new CompletableFuture<>();
    quick = () -> CompletableFuture.runAsync(() -> begun.join().resume()).join();
    try (Cluster cluster =
        cluster(socket ->
            socket.binaryMessageHandler(input -> {
              socket.writeBinaryMessage(message(1, "one"));
              socket.writeBinaryMessage(message(1, "two"));
            }))) {
      begun.complete(begin(cluster));
      begun.join().write(new byte[] {1});

      assertThat(told.take()).isEqualTo("one");
      assertThat(told.take()).isEqualTo("two");
    }
  }

  @Test
  void aRefusalIsTheProblem() throws Exception {
    try (Cluster cluster =
        cluster(
            List.of(),
            request ->
                request
                    .response()
                    .setStatusCode(400)
                    .end("{\"kind\":\"Status\",\"message\":\"container main is not valid\"}"))) {
      assertThatThrownBy(() -> begin(cluster))
          .hasMessageContaining("refused to run a command in the Pod web-1: container main is not");
    }
  }

  @Test
  void aServerThatKnowsNoneOfTheProtocolsIsSaid() throws Exception {
    try (Cluster cluster =
        cluster(List.of(), request -> request.toWebSocket().onFailure(e -> told.add("" + e)))) {
      assertThatThrownBy(() -> begin(cluster)).hasMessageContaining("Invalid subprotocol");
    }
  }

  @Test
  void whatCameBeforeTheConnectionWasClosedIsNotLostWhereNothingReadsYet() throws Exception {
    hasRoom = false;
    int pieces = 100;
    try (Cluster cluster =
        cluster(socket -> {
          for (int i = 0; i < pieces; i++) {
            socket.writeBinaryMessage(message(1, "piece " + i));
          }
          socket.writeBinaryMessage(message(3, "{\"status\":\"Success\"}"));
          socket.close();
        })) {
      PodExec exec = begin(cluster);

      for (int i = 0; i < pieces; i++) {
        assertThat(told.poll(20, SECONDS)).isEqualTo("piece " + i);
        exec.resume();
      }
      assertThat(told.poll(20, SECONDS)).isEqualTo("ended 0 null");
    }
  }
}
