package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import io.orrery.gateway.journey.ServerUsers.Person;
import io.orrery.gateway.journey.ServerUsers.Reply;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Notebooks of people on a server with accounts, with the Jupyter of this machine. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NotebookJourneyIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ALL = "/api/v1/notebooks";
  private static final String ONE = ALL + "/ann-1";

  @TempDir Path temp;
  private final Vertx vertx = ClientVertx.create();
  private final HttpClient http = vertx.createHttpClient();
  private final WebSocketClient sockets = vertx.createWebSocketClient();
  private ServerProcess server;
  private ServerUsers users;
  private Person ann;
  private Person bob;
  private Person sam;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        SearchPath.of(System.getenv()).find("jupyter-notebook").isPresent(),
        "there is no jupyter-notebook (Debian and Ubuntu: apt install jupyter-notebook)");
    assumeTrue(
        SearchPath.of(System.getenv()).find("bwrap").isPresent(),
        "there is no bwrap (Debian and Ubuntu: apt install bubblewrap)");
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true}\n");
    begin();
    users = new ServerUsers(server);
    Person root = users.administrator();
    ann = users.user(root, "ann");
    bob = users.user(root, "bob");
    sam = users.user(root, "sam");
    assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
  }

  private void begin() throws Exception {
    server =
        ServerProcess.begin(
                temp.resolve("home"), List.of("--port", "0", "--router-port", "0"), Map.of())
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

  private JsonNode create(String more) throws Exception {
    Reply created =
        users.send(
            ann,
            "POST",
            ALL,
            "{\"name\":\"ann-1\",\"project\":\"vision\",\"ide\":\"jupyter\"" + more + "}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json();
  }

  private JsonNode shown() throws Exception {
    return users.get(ann, ONE).json();
  }

  private void awaitStatus(String... wanted) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> {
          JsonNode state = shown().get("state");
          assertThat(state.get("status").textValue()).as(state.toString()).isIn((Object[]) wanted);
        });
  }

  private void awaitEvents(String... states) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() ->
            assertThat(users.get(ann, ONE + "/events").json().get("items"))
                .extracting(event -> event.get("state").textValue())
                .containsSubsequence(states));
  }

  private void act(String action) throws Exception {
    Reply done = users.send(ann, "POST", ONE + "/" + action, "");
    assertThat(done.status()).as(done.body()).isEqualTo(200);
  }

  private Reply enter(Person person) throws Exception {
    return users.get(person, ONE + "/enter?follow=false");
  }

  /** A request to the notebook's own origin. */
  private Answer ask(HttpMethod method, String path, String cookie, String body) throws Exception {
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

  private record Answer(int status, String cookie, String body) {}

  private URI origin() throws Exception {
    return URI.create(shown().get("state").get("url").textValue());
  }

  /** The pass that a person gets by a ticket. */
  private String pass(Person person) throws Exception {
    Reply entered = enter(person);
    assertThat(entered.status()).as(entered.body()).isEqualTo(200);
    URI url = URI.create(entered.json().get("url").textValue());
    Answer exchanged = ask(HttpMethod.GET, url.getRawPath() + "?" + url.getRawQuery(), "", "");
    assertThat(exchanged.status()).isEqualTo(303);
    return exchanged.cookie().split(";")[0];
  }

  private WebSocket open(String path, String cookie) throws Exception {
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

  /** Runs a cell over the WebSocket of a new kernel; what it printed. */
  private String run(String pass, String code) throws Exception {
    Answer started = ask(HttpMethod.POST, "/api/kernels", pass, "{}");
    assertThat(started.status()).as(started.body()).isEqualTo(201);
    String kernel = Json.parse(started.body()).get("id").textValue();
    WebSocket socket = open("/api/kernels/" + kernel + "/channels", pass);
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
  private List<String> processes() {
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

  private int refusedSocket(String cookie) throws Exception {
    try {
      open("/api/kernels/x/channels", cookie);
      return 101;
    } catch (ExecutionException | RuntimeException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      assertThat(cause).isInstanceOf(UpgradeRejectedException.class);
      return ((UpgradeRejectedException) cause).getStatus();
    }
  }

  // ---- tests ---------------------------------------------------------------------------------

  @Test
  void aCellRunsAndFilesSurviveResetStopAndAKilledServer() throws Exception {
    create("");
    awaitStatus("RUNNING");
    String pass = pass(ann);

    assertThat(
            run(pass, "import os; open('kept.txt', 'w').write('here'); print(6 * 7, os.getcwd())"))
        .isEqualTo("42 /mnt/ann\n");
    Path file = temp.resolve("home/workspaces/ann/kept.txt");
    assertThat(file).hasContent("here");
    // Neither the words of a process nor the database have the token.
    String token = run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip();
    assertThat(token).matches("[0-9a-f]{64}");
    for (String pid : processes()) {
      assertThat(Files.readString(Path.of("/proc", pid, "cmdline"))).doesNotContain(token);
    }
    try (Stream<Path> all = Files.list(temp.resolve("home"))) {
      for (Path each :
          all.filter(path -> path.getFileName().toString().startsWith("orrery.db")).toList()) {
        assertThat(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1))
            .doesNotContain(token);
      }
    }

    server.kill();
    begin();
    users.moveTo(server);
    ann = users.signIn("ann");
    awaitStatus("RUNNING");
    // The pass and the program outlive the server.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/api/contents/kept.txt", pass, "").body())
                .contains("here"));

    act("reset");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/api/contents/kept.txt", pass, "").status())
                .isEqualTo(200));
    assertThat(run(pass, "print(open('kept.txt').read())")).isEqualTo("here\n");
    assertThat(run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip())
        .isNotEqualTo(token);

    act("stop");
    awaitStatus("STOPPED");
    assertThat(processes()).isEmpty();
    awaitEvents("STOP", "STOPPED");
    assertThat(enter(ann).status()).isEqualTo(409);
    act("start");
    awaitStatus("RUNNING");
    String again = pass(ann);
    assertThat(run(again, "print(open('kept.txt').read())")).isEqualTo("here\n");
    awaitEvents("STARTING", "RUNNING", "RESET", "STOP", "STOPPED", "STARTED", "RUNNING");
  }

  @Test
  void nobodyElseEntersByHttpOrWebSocket() throws Exception {
    create(",\"share\":[\"bob\"]");
    awaitStatus("RUNNING");

    assertThat(users.get(sam, ONE).status()).isEqualTo(404);
    assertThat(enter(sam).status()).isEqualTo(404);
    assertThat(users.get(bob, ONE).status()).isEqualTo(200);
    assertThat(users.send(bob, "POST", ONE + "/stop", "").status()).isEqualTo(403);
    assertThat(users.send(bob, "DELETE", ONE, "").status()).isEqualTo(403);
    Person root = users.signIn("root");
    assertThat(enter(root).status()).isEqualTo(403);

    String hers = pass(ann);
    String his = pass(bob);
    for (String path :
        List.of(
            "/", "/api", "/api/status", "/tree", "//", "/%2e%2e/api/status", "/api/status?x=1")) {
      for (String forged :
          List.of(
              "",
              ann.cookie(),
              hers.replaceFirst("=.*", "=9999999999.AAAA"),
              hers.substring(0, hers.length() - 2) + "xx",
              hers.replaceFirst("orrery_pass_[^=]*", "orrery_pass_0123456789abcdef"))) {
        assertThat(ask(HttpMethod.GET, path, forged, "").status())
            .as("%s with %s", path, forged)
            .isIn(400, 401, 404);
        assertThat(refusedSocket(forged)).as(forged).isEqualTo(401);
      }
    }
    assertThat(ask(HttpMethod.GET, "/api/status", his, "").status()).isEqualTo(200);
    // Who reaches the port of the program has no token.
    String endpoint =
        users
            .get(ann, "/api/v1/workloads/notebook-ann-1")
            .json()
            .at("/replicas/0/endpoint")
            .textValue();
    assertThat(
            http.request(
                    HttpMethod.GET,
                    Integer.parseInt(endpoint.split(":")[1]),
                    "127.0.0.1",
                    "/api/status")
                .compose(request -> request.send())
                .await(10, TimeUnit.SECONDS)
                .statusCode())
        .isEqualTo(403);

    Reply changed =
        users.send(ann, "PUT", ONE, "{\"project\":\"vision\",\"ide\":\"jupyter\",\"share\":[]}");
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(ask(HttpMethod.GET, "/api/status", his, "").status()).isEqualTo(401);
    assertThat(refusedSocket(his)).isEqualTo(401);
    assertThat(enter(bob).status()).isEqualTo(404);
    assertThat(run(pass(ann), "print(1)")).isEqualTo("1\n");
  }

  @Test
  void aNotebookThatNobodyUsesIsWarnedOfAndStopped() throws Exception {
    create(",\"expiry\":{\"idle\":\"8s\"}");
    awaitStatus("RUNNING", "IDLE");
    assertThat(shown().at("/state/expiresAt").textValue()).isNotNull();

    awaitStatus("STOPPED");
    assertThat(processes()).isEmpty();
    awaitEvents("RUNNING", "IDLE", "WARNED", "EXPIRED", "STOPPED");
    act("start");
    awaitStatus("RUNNING", "IDLE");
  }
}
