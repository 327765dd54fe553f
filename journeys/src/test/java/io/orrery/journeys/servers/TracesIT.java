package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the spans of a real server to a collector. */
class TracesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String SECRET = "s3cret-of-the-collector";

  @TempDir Path temp;
  private final Vertx vertx = ClientVertx.create();
  private final io.vertx.core.http.HttpClient routed = vertx.createHttpClient();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<List<String>> traceparents = new CopyOnWriteArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean refuses;
  private HttpServer collector;
  private HttpServer endpoint;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    collector =
        vertx
            .createHttpServer()
            .requestHandler(request ->
                request
                    .body()
                    .onSuccess(body -> {
                      boolean ours = SECRET.equals(request.getHeader("X-Key")) && !refuses;
                      if (!ours) {
                        refused.incrementAndGet();
                      }
                      if (ours && request.path().equals("/v1/traces")) {
                        spans.addAll(spans(body.getBytes()));
                      }
                      request.response().setStatusCode(ours ? 200 : 403).end();
                    }))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
    endpoint =
        vertx
            .createHttpServer()
            .requestHandler(request -> {
              traceparents.add(request.headers().getAll("traceparent"));
              request.response().end("answered");
            })
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  private void serve(String more) throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        "traces: {url: 'http://127.0.0.1:%d/v1/traces', headers: {X-Key: %s}%s}\nlog: {format: json}\n"
            .formatted(collector.actualPort(), SECRET, more));
    server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    http.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private static List<Span> spans(byte[] body) {
    try {
      return ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
          .flatMap(of -> of.getScopeSpansList().stream())
          .flatMap(of -> of.getSpansList().stream())
          .toList();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private HttpResponse<String> get(URI url, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(PATIENCE);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private List<Span> ofTrace() {
    return spans.stream().filter(span -> hex(span.getTraceId()).equals(TRACE)).toList();
  }

  @Test
  void aRequestIsFollowedThroughTheServerIntoTheStore() throws Exception {
    serve("");

    URI list = server.url().resolve("/api/v1/experiments?status=RUNNING");
    assertThat(get(list, "traceparent", "00-" + TRACE + "-" + PARENT + "-01").statusCode())
        .isEqualTo(200);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(ofTrace()).extracting(Span::getName).contains("GET", "store read"));
    Map<String, Span> byId =
        ofTrace().stream().collect(Collectors.toMap(span -> hex(span.getSpanId()), span -> span));
    Span request =
        ofTrace().stream()
            .filter(span -> hex(span.getParentSpanId()).equals(PARENT))
            .findFirst()
            .orElseThrow();
    assertThat(request.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
    Span read =
        ofTrace().stream()
            .filter(span -> span.getName().equals("store read"))
            .findFirst()
            .orElseThrow();
    // From the read to its parents: those of the bus, and the request at last.
    int depth = 0;
    Span at = read;
    while (!at.equals(request)) {
      at = byId.get(hex(at.getParentSpanId()));
      assertThat(at).as("a parent that was sent").isNotNull();
      depth++;
    }
    assertThat(depth).isGreaterThanOrEqualTo(3);
    assertThat(read.getAttributesList())
        .anyMatch(attribute -> attribute.getKey().equals("db.query.text"));
  }

  @Test
  void theRouterHandsTheTraceOnOnce() throws Exception {
    serve("");
    String table =
        "services: [{name: lab, endpoints: ['127.0.0.1:%1$d'], access: {audience: lab}},"
            + " {name: plain, endpoints: ['127.0.0.1:%1$d']}]";
    assertThat(
            server
                .send(
                    "PUT",
                    "/routes",
                    BodyPublishers.ofString(table.formatted(endpoint.actualPort())))
                .statusCode())
        .isEqualTo(200);
    URI lab =
        URI.create(
            Json.parse(server.send("POST", "/routes/lab/ticket", BodyPublishers.noBody()).body())
                .get("url")
                .textValue());

    RequestOptions request =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(lab.getPort(), "127.0.0.1"))
            .setHost(lab.getHost().replaceFirst("lab", "plain"))
            .setPort(lab.getPort())
            .setURI("/predict")
            .putHeader("traceparent", "00-" + TRACE + "-" + PARENT + "-01");
    assertThat(
            ClientVertx.onLoop(
                    vertx,
                    () ->
                        routed
                            .request(request)
                            .compose(asked -> asked.send())
                            .compose(HttpClientResponse::body))
                .await(10, TimeUnit.SECONDS)
                .toString())
        .isEqualTo("answered");

    assertThat(traceparents).hasSize(1);
    assertThat(traceparents.getFirst())
        .singleElement()
        .asString()
        .startsWith("00-" + TRACE + "-")
        .doesNotContain(PARENT);
    String handedOn = traceparents.getFirst().getFirst().split("-")[2];
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ofTrace())
                .anyMatch(span -> hex(span.getSpanId()).equals(handedOn))
                .anyMatch(span -> hex(span.getParentSpanId()).equals(PARENT)));
  }

  @Test
  void aShareOfNothingSendsOnlyWhatAnotherHasBegun() throws Exception {
    serve(", share: 0");

    URI list = server.url().resolve("/api/v1/experiments");
    assertThat(get(list).statusCode()).isEqualTo(200);
    assertThat(get(list, "traceparent", "00-" + TRACE + "-" + PARENT + "-01").statusCode())
        .isEqualTo(200);

    await().atMost(PATIENCE).untilAsserted(() -> assertThat(ofTrace()).isNotEmpty());
    assertThat(spans).allMatch(span -> hex(span.getTraceId()).equals(TRACE));
  }

  @Test
  void theLogIsAnObjectALineWithoutTheCollectorsSecret() throws Exception {
    refuses = true;
    serve("");
    assertThat(get(server.url().resolve("/api/v1/experiments")).statusCode()).isEqualTo(200);
    await().atMost(PATIENCE).until(() -> refused.get() > 0);
    await().atMost(PATIENCE).until(() -> server.log().contains("could not export spans"));
    server.close();

    String log = server.log();
    // The lines before the server has read its configuration are plain.
    List<String> lines = log.lines().dropWhile(line -> !line.startsWith("{")).toList();
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .allSatisfy(line ->
            assertThat(Json.parse(line).fieldNames())
                .toIterable()
                .contains("timestamp", "level", "loggerName", "formattedMessage"));
    assertThat(log).doesNotContain(SECRET);
  }
}
