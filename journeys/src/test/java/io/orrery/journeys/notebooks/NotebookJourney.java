package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with accounts, and a notebook of one of them with the Jupyter of this machine. */
abstract class NotebookJourney {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String ALL = "/api/v1/notebooks";
  static final String ONE = ALL + "/ann-1";

  @TempDir Path temp;
  private final Vertx vertx = ClientVertx.create();
  final HttpClient http = vertx.createHttpClient();
  private final WebSocketClient sockets = vertx.createWebSocketClient();
  ServerProcess server;
  ServerUsers users;
  Person root;
  Person ann;
  Person bob;
  Person sam;

  /** The name of the first person, who owns the notebook. */
  String owner() {
    return "ann";
  }

  /** The configuration of the server, with accounts. */
  abstract String configuration() throws Exception;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        SearchPath.of(System.getenv()).find("jupyter-notebook").isPresent(),
        "there is no jupyter-notebook (Debian and Ubuntu: apt install jupyter-notebook)");
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), configuration());
    begin();
    users = new ServerUsers(server);
    root = users.administrator();
    ann = users.user(root, owner());
    bob = users.user(root, "bob");
    sam = users.user(root, "sam");
    assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
  }

  /** Variables of the server beside those of this process. */
  Map<String, String> environment() {
    return Map.of();
  }

  void begin() throws Exception {
    server =
        ServerProcess.begin(
                temp.resolve("home"), List.of("--port", "0", "--router-port", "0"), environment())
            .ready();
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      if (users != null && ann != null) {
        users.send(ann, "DELETE", ONE, "");
        await().atMost(PATIENCE).until(() -> processes().isEmpty());
        users.close();
      }
      server.close();
    }
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  // ---- acting --------------------------------------------------------------------------------

  JsonNode create(String more) throws Exception {
    Reply created =
        users.send(
            ann,
            "POST",
            ALL,
            "{\"name\":\"ann-1\",\"project\":\"vision\",\"ide\":\"jupyter\"" + more + "}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json();
  }

  JsonNode shown() throws Exception {
    return users.get(ann, ONE).json();
  }

  void awaitStatus(String... wanted) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> {
          JsonNode state = shown().get("state");
          assertThat(state.get("status").textValue()).as(state.toString()).isIn((Object[]) wanted);
        });
  }

  void awaitEvents(String... states) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() ->
            assertThat(users.get(ann, ONE + "/events").json().get("items"))
                .extracting(event -> event.get("state").textValue())
                .containsSubsequence(states));
  }

  void act(String action) throws Exception {
    Reply done = users.send(ann, "POST", ONE + "/" + action, "");
    assertThat(done.status()).as(done.body()).isEqualTo(200);
  }

  Reply enter(Person person) throws Exception {
    return users.get(person, ONE + "/enter?follow=false");
  }

  /** A request to the notebook's own origin. */
  Answer ask(HttpMethod method, String path, String cookie, String body) throws Exception {
    RequestOptions options = new RequestOptions().setMethod(method).setURI(path);
    URI url = origin();
    options
        .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
        .setHost(url.getHost())
        .setPort(url.getPort())
        .putHeader("Cookie", cookie)
        .putHeader("Origin", "http://" + url.getAuthority());
    return ClientVertx.onLoop(
            vertx,
            () ->
                http.request(options)
                    .compose(request -> request.send(body))
                    .compose(response ->
                        response
                            .body()
                            .map(text ->
                                new Answer(
                                    response.statusCode(),
                                    String.valueOf(response.getHeader("Set-Cookie")),
                                    text.toString()))))
        .await(20, TimeUnit.SECONDS);
  }

  record Answer(int status, String cookie, String body) {}

  URI origin() throws Exception {
    return URI.create(shown().get("state").get("url").textValue());
  }

  /** The pass that a person gets by a ticket. */
  String pass(Person person) throws Exception {
    Reply entered = enter(person);
    assertThat(entered.status()).as(entered.body()).isEqualTo(200);
    URI url = URI.create(entered.json().get("url").textValue());
    Answer exchanged = ask(HttpMethod.GET, url.getRawPath() + "?" + url.getRawQuery(), "", "");
    assertThat(exchanged.status()).isEqualTo(303);
    return exchanged.cookie().split(";")[0];
  }

  WebSocket open(String path, String cookie) throws Exception {
    URI url = origin();
    WebSocketConnectOptions options = new WebSocketConnectOptions().setURI(path);
    options
        .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
        .setHost(url.getHost())
        .setPort(url.getPort())
        .putHeader("Cookie", cookie)
        .putHeader("Origin", "http://" + url.getAuthority());
    return sockets.connect(options).await(20, TimeUnit.SECONDS);
  }

  /** The id of a new kernel. */
  String kernel(String pass) throws Exception {
    Answer started = ask(HttpMethod.POST, "/api/kernels", pass, "{}");
    assertThat(started.status()).as(started.body()).isEqualTo(201);
    return Json.parse(started.body()).get("id").textValue();
  }

  /** Runs a cell over the WebSocket of a new kernel; what it printed. */
  String run(String pass, String code) throws Exception {
    WebSocket socket = open("/api/kernels/" + kernel(pass) + "/channels", pass);
    Queue<JsonNode> told = new ConcurrentLinkedQueue<>();
    socket.textMessageHandler(text -> told.add(Json.parse(text)));
    ObjectNode message = Json.MAPPER.createObjectNode();
    message
        .putObject("header")
        .put("msg_id", "one")
        .put("username", "")
        .put("session", "s")
        .put("msg_type", "execute_request")
        .put("version", "5.3");
    message.putObject("parent_header");
    message.putObject("metadata");
    message.put("channel", "shell");
    message.putObject("content").put("code", code).put("silent", false);
    socket.writeTextMessage(message.toString()).await(10, TimeUnit.SECONDS);
    await()
        .atMost(PATIENCE)
        .until(() -> told.stream().anyMatch(each -> type(each).equals("execute_reply")));
    socket.close().await(10, TimeUnit.SECONDS);
    return told.stream()
        .filter(each -> type(each).equals("stream"))
        .map(each -> each.path("content").path("text").asText())
        .reduce("", String::concat);
  }

  private static String type(JsonNode message) {
    return message.path("header").path("msg_type").asText();
  }

  /** The processes of this server's notebooks. */
  List<String> processes() {
    String mark = temp.resolve("home").toString();
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
          .filter(path -> variables(path).contains("ORRERY_WORKLOAD=notebook/ann-1"))
          .filter(path -> variables(path).contains(mark))
          .map(path -> path.getFileName().toString())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String variables(Path process) {
    try {
      return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }

  int refusedSocket(String cookie) throws Exception {
    return refusedSocket("/api/kernels/x/channels", cookie);
  }

  /** The status that answers an upgrade to a WebSocket, of a path as it is written. */
  int refusedSocket(String path, String cookie) throws Exception {
    URI url = origin();
    String head =
        """
        GET %s HTTP/1.1
        Host: %s
        Origin: http://%s
        Cookie: %s
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

        """
            .formatted(path, url.getAuthority(), url.getAuthority(), cookie)
            .replace("\n", "\r\n");
    try (Socket socket = new Socket("127.0.0.1", url.getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String answer =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }

  /** The answer to a person who asks the server for a shell in the notebook. */
  int refusedShell(Person person) throws Exception {
    URI url = server.url();
    WebSocketConnectOptions options = new WebSocketConnectOptions();
    options
        .setURI("/api/v1/workloads/notebook-ann-1/shell")
        .setHost(url.getHost())
        .setPort(url.getPort())
        .putHeader("Cookie", person.cookie())
        .putHeader("Origin", "http://" + url.getAuthority());
    return refused(() -> sockets.connect(options).await(20, TimeUnit.SECONDS));
  }

  private static int refused(Callable<WebSocket> opening) throws Exception {
    try {
      opening.call().close();
      return 101;
    } catch (ExecutionException | RuntimeException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      assertThat(cause).isInstanceOf(UpgradeRejectedException.class);
      return ((UpgradeRejectedException) cause).getStatus();
    }
  }
}
