package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with services: what a test does with them, through its public door. */
public abstract class ServiceJourney {
  protected static final Duration PATIENCE = Duration.ofSeconds(60);

  protected static final Path EXAMPLES =
      Path.of("..").toAbsolutePath().normalize().resolve("examples/services");

  /** A server that answers with its name, and with the status that it is told. */
  private static final String SAYING =
      """
      import os
      from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

      class Handler(BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'

          def do_GET(self):
              body = os.environ['SAYS'].encode()
              self.send_response(200 if self.path == '/healthz' else int(os.environ['STATUS']))
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)

          def log_message(self, *arguments):
              pass

      class Server(ThreadingHTTPServer):
          request_queue_size = 128

      Server(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
      """;

  @TempDir protected Path temp;
  private final Vertx vertx = ClientVertx.create();
  private final HttpClient http =
      vertx.createHttpClient(
          new HttpClientOptions().setConnectTimeout(10_000).setReadIdleTimeout(20));
  protected ServerProcess server;

  @BeforeEach
  protected void start() throws Exception {
    Files.createDirectories(home());
    configure();
    begin();
  }

  @AfterEach
  protected void stop() throws Exception {
    for (JsonNode service : server.get("/services").get("items")) {
      server.send("DELETE", path(service.get("name").textValue()), BodyPublishers.noBody());
    }
    await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
    server.close();
    http.close().await(10, TimeUnit.SECONDS);
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** Writes the configuration into the home. */
  protected void configure() throws Exception {}

  protected void begin() throws Exception {
    server =
        ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
  }

  protected Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  // ---- acting -------------------------------------------------------------------------------

  /** The document of a program of Python in one file, which listens on port 8080. */
  protected ObjectNode python(String name, String program) throws IOException {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("server.py"), program);
    ObjectNode document = Json.MAPPER.createObjectNode();
    document
        .put("name", name)
        .put("code", code.toString())
        .put("command", "exec python3 server.py")
        .put("grace", "5s");
    document.putArray("ports").add(8080);
    return document;
  }

  /** The document of a program that answers with a word and a status. */
  protected ObjectNode saying(String name, String says, int status) throws IOException {
    ObjectNode document = python(name, SAYING).put("health", "8080:/healthz");
    document.putObject("env").put("SAYS", says).put("STATUS", Integer.toString(status));
    return document;
  }

  /** The same with a rollout. */
  protected static ObjectNode steps(ObjectNode document, String steps) {
    document.set("rollout", Json.parse(steps));
    return document;
  }

  protected static String path(String name) {
    return "/services/" + name;
  }

  protected JsonNode put(String document) throws Exception {
    String name = Json.parse(document).get("name").textValue();
    HttpResponse<String> response =
        server.send("PUT", path(name), BodyPublishers.ofString(document));
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    return Json.parse(response.body());
  }

  protected JsonNode state(String name) throws Exception {
    return server.get(path(name)).get("state");
  }

  protected JsonNode ready(String name) throws Exception {
    return ready(name, 1);
  }

  /** The state when so many replicas are ready and no other is left. */
  protected JsonNode ready(String name, int replicas) throws Exception {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode state = state(name);
          assertThat(state.get("status").textValue()).as("%s", state).isEqualTo("READY");
          assertThat(state.get("replicas")).hasSize(replicas);
        });
    return state(name);
  }

  protected record Answer(int statusCode, String body) {}

  /** The answer of a server of this machine, whichever name of it an address has. */
  protected Answer ask(URI url) throws Exception {
    return send(HttpMethod.GET, url, "");
  }

  private Answer send(HttpMethod method, URI url, String body) throws Exception {
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
            .setHost(url.getHost())
            .setPort(url.getPort())
            .setURI(url.getPath().isEmpty() ? "/" : url.getPath());
    return ClientVertx.onLoop(
            vertx,
            () ->
                http.request(options)
                    .compose(request ->
                        body.isEmpty() ? request.send() : request.send(Buffer.buffer(body)))
                    .compose(response ->
                        response
                            .body()
                            .map(text -> new Answer(response.statusCode(), text.toString()))))
        .await(30, TimeUnit.SECONDS);
  }

  /** The answer under the name of a service. */
  protected Answer answer(String name) throws Exception {
    return ask(URI.create(state(name).get("url").textValue()));
  }

  /** The answer to a body that is posted under the name of a service. */
  protected Answer post(String name, String path, String body) throws Exception {
    return send(
        HttpMethod.POST, URI.create(state(name).get("url").textValue()).resolve(path), body);
  }

  protected record Ended(int code, String out, String err) {}

  protected Ended orrery(String... arguments) throws Exception {
    return orrery(arguments, "");
  }

  protected Ended orrery(String[] arguments, String stdin) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", home().toString());
    Process process = builder.directory(temp.toFile()).redirectError(err.toFile()).start();
    try (OutputStream input = process.getOutputStream()) {
      input.write(stdin.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  /** Asks a service over and over; what is no answer 200 is kept. */
  protected final class Load implements AutoCloseable {
    final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    final AtomicInteger answers = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Load(String name) throws Exception {
      this(URI.create(state(name).get("url").textValue()));
    }

    Load(URI url) {
      for (int i = 0; i < 4; i++) {
        threads.add(Thread.ofVirtual().start(() -> run(url)));
      }
    }

    private void run(URI url) {
      while (!over) {
        try {
          Answer response = ask(url);
          if (response.statusCode() != 200) {
            failures.add(response.statusCode() + " " + response.body());
          }
          answers.incrementAndGet();
        } catch (Exception e) {
          failures.add(e.toString());
        }
      }
    }

    @Override
    public void close() {
      over = true;
      await().atMost(PATIENCE).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }
  }
}
