package io.orrery.journeys;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The server as a process of its own, spoken to over its public API only. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private final Path home;
  private final Process process;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private URI url = URI.create("http://127.0.0.1:1");
  private String token = "";

  private ServerProcess(Path home, Process process) {
    this.home = home;
    this.process = process;
  }

  /**
   * The command that runs the product as it was packaged; where that is not given (in an editor),
   * with the class path of this process.
   */
  public static List<String> command(String... arguments) {
    String distribution = System.getProperty("orrery.distribution");
    return distribution == null
        ? commandWith(System.getProperty("java.class.path"), arguments)
        : commandOf(Path.of(distribution), arguments);
  }

  private static List<String> commandOf(Path distribution, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(distribution.resolve("bin/orrery").toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> commandWith(String classPath, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // As the distribution's launcher starts it.
                "-XX:+UseSerialGC",
                "-Xms32m",
                "-Xmx768m",
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000",
                "-XX:Tier4BackEdgeThreshold=400000",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dio.netty.noUnsafe=false",
                "--enable-native-access=ALL-UNNAMED",
                // The product's own, not the one that these tests run under.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                classPath,
                "io.orrery.gateway.launch.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Begins to start a server on a home; it listens on a port of its own choice. */
  public static ServerProcess begin(Path home) throws IOException {
    return begin(home, 0);
  }

  /** Begins to start a server on a home and a port. */
  public static ServerProcess begin(Path home, int port) throws IOException {
    return begin(home, List.of("--port", Integer.toString(port), "--router-port", "off"), Map.of());
  }

  /** Begins to start a server on a home, with flags and with variables beside ours. */
  public static ServerProcess begin(Path home, List<String> flags, Map<String, String> environment)
      throws IOException {
    return begin(home, flags, environment, command("up", "--home", home.toString()));
  }

  /** The same with a class path of one's own. */
  public static ServerProcess begin(Path home, int port, String classPath) throws IOException {
    return begin(
        home,
        List.of("--port", Integer.toString(port), "--router-port", "off"),
        Map.of(),
        commandWith(classPath, "up", "--home", home.toString()));
  }

  /** The same of another distribution, which has been packaged before. */
  public static ServerProcess begin(Path home, List<String> flags, Path distribution)
      throws IOException {
    return begin(home, flags, Map.of(), commandOf(distribution, "up", "--home", home.toString()));
  }

  private static ServerProcess begin(
      Path home, List<String> flags, Map<String, String> environment, List<String> command)
      throws IOException {
    Files.createDirectories(home);
    Files.deleteIfExists(home.resolve("server.json"));
    command.addAll(flags);
    ProcessBuilder builder = new ProcessBuilder(command);
    // Where NNI's index of experiments is kept.
    builder.environment().put("HOME", home.toString());
    // Reading some hundred certificates is a third of a start, and few servers here need them.
    builder.environment().remove("SSL_CERT_FILE");
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("server.log").toFile()));
    return new ServerProcess(home, builder.start());
  }

  /** Starts a server and waits until it is ready. */
  public static ServerProcess start(Path home) throws IOException, InterruptedException {
    return begin(home).ready();
  }

  /** Waits until the server is ready. */
  public ServerProcess ready() throws IOException, InterruptedException {
    return ready(PATIENCE);
  }

  /** The same for one that may take longer. */
  public ServerProcess ready(Duration patience) throws IOException, InterruptedException {
    Path announcement = home.resolve("server.json");
    long deadline = System.nanoTime() + patience.toNanos();
    while (!Files.exists(announcement)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly();
        throw new IOException("the server did not start:\n" + log());
      }
      Thread.sleep(5);
    }
    url = URI.create(Json.parse(Files.readString(announcement)).get("url").textValue());
    return this;
  }

  /** Shows the token of who runs the server with each request from now on. */
  public ServerProcess asOperator() throws IOException {
    token = Json.parse(Files.readString(home.resolve("server.json"))).get("token").textValue();
    return this;
  }

  /** kill -9, and waits until it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Waits until the server has ended by itself; its exit code. */
  public int ended(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      throw new IOException("the server still runs:\n" + log());
    }
    client.close();
    return process.exitValue();
  }

  /** What the server wrote. */
  public String log() throws IOException {
    return Files.readString(home.resolve("server.log"));
  }

  public Path home() {
    return home;
  }

  public long pid() {
    return process.pid();
  }

  public URI url() {
    return url;
  }

  /** Processor time that the server has used so far, user and system, its children not counted. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    return ok("GET", path, BodyPublishers.noBody());
  }

  public JsonNode post(String path, String body) throws IOException, InterruptedException {
    return ok("POST", path, BodyPublishers.ofString(body));
  }

  public JsonNode patch(String path, String body) throws IOException, InterruptedException {
    return ok("PATCH", path, BodyPublishers.ofString(body));
  }

  /** The answer, whatever its status. */
  public HttpResponse<String> send(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("/api/v1" + path)).method(method, body);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /** A text outside of the API. */
  public String text(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(url.resolve(path)).build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("GET " + path + ": " + response.body());
    }
    return response.body();
  }

  private JsonNode ok(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(method, path, body);
    if (response.statusCode() / 100 != 2) {
      throw new IOException(method + " " + path + ": " + response.body());
    }
    return Json.parse(response.body());
  }

  /** All trials of an experiment, page by page. */
  public List<JsonNode> trials(String experiment) throws IOException, InterruptedException {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    while (true) {
      JsonNode page = get("/experiments/" + experiment + "/trials?limit=1000" + cursor);
      page.get("items").forEach(all::add);
      if (page.get("next").isNull()) {
        return all;
      }
      cursor = "&cursor=" + page.get("next").textValue();
    }
  }

  /**
   * Asks until the experiment has one of the statuses, the more rarely the longer it takes, so that
   * the asking is not what a benchmark measures; fails after the limit.
   */
  public JsonNode awaitStatus(String experiment, Duration limit, String... statuses)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    long deadline = begin + limit.toNanos();
    while (true) {
      JsonNode now = get("/experiments/" + experiment);
      if (List.of(statuses).contains(now.get("status").textValue())) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("still " + now + "\n" + log());
      }
      Thread.sleep(Math.clamp((System.nanoTime() - begin) / 20_000_000, 20, 500));
    }
  }

  /** Asks the server to go, and waits until it has; one that stands still cannot hear that. */
  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, 2, TimeUnit.MINUTES)
        .thenAccept(Process::destroyForcibly)
        .join();
    client.close();
  }
}
