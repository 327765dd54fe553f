package io.orrery.gateway;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricStreamIT {
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private EdgeServer edge;

  /** Kept, because a client without a reference is closed with its connections by the collector. */
  private WebSocketClient client;

  private WebSocket socket;

  @BeforeEach
  void connect() throws Exception {
    edge = EdgeServer.start();
    edge.answer(Trials.GET, Samples.trial());
    client = edge.vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(200));
    socket = client.connect(edge.port(), "127.0.0.1", "/api/v1/metrics/stream").await(10, SECONDS);
    socket.textMessageHandler(said::add);
    socket.closeHandler(closed -> said.add("{\"closed\":" + socket.closeStatusCode() + "}"));
  }

  @AfterEach
  void stop() throws Exception {
    client.close().await(10, SECONDS);
    edge.close();
  }

  private static String line(int sequence) {
    return "{\"trial\":\"digits01/abcde\",\"kind\":\"intermediate\",\"sequence\":"
        + sequence
        + ",\"value\":0.5}";
  }

  private void send(String text) throws Exception {
    socket.writeTextMessage(text).await(10, SECONDS);
  }

  private JsonNode answer() throws Exception {
    String text = said.poll(10, SECONDS);
    assertThat(text).as("an answer").isNotNull();
    return Json.parse(text);
  }

  private void awaitAck(long lines) throws Exception {
    JsonNode answer = answer();
    while (answer.path("ack").asLong() < lines) {
      answer = answer();
    }
    assertThat(answer.path("ack").asLong()).isEqualTo(lines);
  }

  @Test
  void linesInABinaryFrameAreLinesToo() throws Exception {
    socket.writeBinaryMessage(Buffer.buffer(line(0) + "\n" + line(1))).await(10, SECONDS);
    awaitAck(2);

    assertThat(edge.sink.points).extracting(MetricPoint::sequence).containsExactly(0L, 1L);
  }

  @Test
  void durableLinesAreCountedSinceTheBeginning() throws Exception {
    send(line(0));
    awaitAck(1);
    send(line(1) + "\n" + line(2) + "\n");
    awaitAck(3);

    assertThat(edge.sink.points).extracting(MetricPoint::sequence).containsExactly(0L, 1L, 2L);
  }

  @Test
  void whatComesWhileTheDiskIsBusyIsOneBatch() throws Exception {
    Promise<Void> disk = Promise.promise();
    AtomicInteger batches = new AtomicInteger();
    edge.sink.answer =
        batch -> {
          MetricSink.Receipt receipt = new MetricSink.Receipt(batch.size(), 0);
          return batches.incrementAndGet() == 1
              ? disk.future().map(receipt)
              : Future.succeededFuture(receipt);
        };
    for (int i = 0; i < 50; i++) {
      send(line(i));
    }
    disk.complete();

    awaitAck(50);
    assertThat(batches.get()).isLessThan(50);
  }

  @Test
  void aBadLineIsNamedAfterEverythingBeforeItsFrameIsDurable() throws Exception {
    send(line(0) + "\n" + line(1));
    send(line(2) + "\n{\"trial\":1}");

    awaitAck(2);
    JsonNode error = answer();
    assertThat(error.at("/error/line").asInt()).isEqualTo(4);
    assertThat(error.at("/error/message").asText()).isNotEmpty();
    assertThat(answer().path("closed").asInt()).isEqualTo(1008);
    assertThat(edge.sink.points).hasSize(2);
  }

  /** Each frame may be small: what is kept of the message is not. */
  @Test
  void aMessageThatDoesNotEndIsRefused() throws Exception {
    Buffer blank = Buffer.buffer("\n".repeat(1 << 20));
    socket.writeFrame(WebSocketFrame.textFrame(blank.toString(), false));
    for (int i = 0; i < 4; i++) {
      socket.writeFrame(WebSocketFrame.continuationFrame(blank, false));
    }

    assertThat(answer().at("/error/message").asText()).contains("4194304 bytes");
    assertThat(answer().path("closed").asInt()).isPositive();
  }

  @Test
  void aBusyStoreIsWaitedFor() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    edge.sink.answer =
        batch ->
            tries.incrementAndGet() == 1
                ? Future.failedFuture(new Problem.Busy("full", Duration.ofMillis(5)).toException())
                : Future.succeededFuture(new MetricSink.Receipt(batch.size(), 0));

    send(line(0));

    awaitAck(1);
    assertThat(tries).hasValue(2);
  }

  @Test
  void aFaultOfOursIsNotToldInWords() throws Exception {
    edge.sink.answer = batch -> Future.failedFuture(new IllegalStateException("/secret/path"));

    send(line(0));

    assertThat(answer().toString()).contains("could not store").doesNotContain("secret");
    assertThat(answer().path("closed").asInt()).isEqualTo(1011);
  }

  /** Lines that are durable, the last of which the client is not told of at once. */
  private void sendUntilToldLater() throws Exception {
    for (int i = 0; i < 8; i++) {
      send(line(i));
      awaitAck(i + 1);
    }
    // As from a trial that trains: what follows at once is from a client that waits.
    edge.vertx.timer(150, MILLISECONDS).await(10, SECONDS);
    send(line(8));
    await().untilAsserted(() -> assertThat(edge.sink.points).hasSize(9));
  }

  @Test
  void whoPingsIsToldWhatIsDurable() throws Exception {
    socket.pongHandler(pong -> said.add("{\"pong\":true}"));
    sendUntilToldLater();

    socket.writePing(Buffer.buffer("there?")).await(10, SECONDS);

    assertThat(answer().path("ack").asInt()).isEqualTo(9);
    assertThat(answer().has("pong")).isTrue();
  }

  @Test
  void whoWaitsIsToldInTheEnd() throws Exception {
    sendUntilToldLater();

    awaitAck(9);
  }

  @Test
  void aServerThatGoesDownSaysWhatIsDurable() throws Exception {
    sendUntilToldLater();

    edge.undeploy();

    assertThat(answer().path("ack").asInt()).isEqualTo(9);
    assertThat(answer().path("closed").asInt()).isEqualTo(1001);
  }

  @Test
  void aServerThatGoesDownSaysSo() throws Exception {
    send(line(0));
    awaitAck(1);

    edge.undeploy();

    assertThat(answer().path("closed").asInt()).isEqualTo(1001);
  }

  /** Opens streams; each closing is said. */
  private List<WebSocket> crowd(int size) throws Exception {
    List<WebSocket> crowd = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      WebSocket one =
          client.connect(edge.port(), "127.0.0.1", "/api/v1/metrics/stream").await(10, SECONDS);
      one.closeHandler(closed -> said.add("{\"closed\":" + one.closeStatusCode() + "}"));
      crowd.add(one);
    }
    return crowd;
  }

  private void sendAll(List<WebSocket> crowd, int sequence) throws Exception {
    int before = edge.sink.points.size();
    for (WebSocket one : crowd) {
      one.writeTextMessage(line(sequence)).await(10, SECONDS);
    }
    await().untilAsserted(() -> assertThat(edge.sink.points).hasSize(before + crowd.size()));
  }

  /** How many of them this process has: one for each sweep, and those of event loops. */
  private static long epolls() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(
              fd -> {
                try {
                  return Files.readSymbolicLink(fd).toString().contains("eventpoll");
                } catch (IOException e) {
                  return false; // closed meanwhile
                }
              })
          .count();
    }
  }

  @Test
  void streamsThatHaveTimeAreReadInSweepsUntilTheServerGoesDown() throws Exception {
    assumeThat(edge.vertx.isNativeTransportEnabled()).as("there is an epoll").isTrue();
    List<WebSocket> crowd = crowd(120);
    long before = epolls();
    for (int i = 0; i < 8; i++) {
      sendAll(crowd, i);
    }
    edge.vertx.timer(150, MILLISECONDS).await(10, SECONDS);
    sendAll(crowd, 8);
    sendAll(crowd, 9);
    await().until(() -> epolls() > before);

    sendAll(crowd, 10);
    sendAll(crowd, 11);
    edge.undeploy();

    for (int i = 0; i < crowd.size(); i++) {
      assertThat(answer().path("closed").asInt()).isEqualTo(1001);
    }
    await().until(() -> epolls() <= before);
  }

  @Test
  void withoutAnUpgradeTheAddressSaysWhatItSpeaks() throws Exception {
    var response = edge.get("/api/v1/metrics/stream");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("WebSocket");
    assertThat(List.copyOf(said)).isEmpty();
  }
}
