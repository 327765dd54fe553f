package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takeovers and starts from nothing while requests come, and what becomes of each request. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TakeoverLoadIT extends ServiceJourney {
  private static final Logger LOG = LoggerFactory.getLogger(TakeoverLoadIT.class);
  private static final String HOST = "digits.service.orrery.localhost";

  /** Takeovers in a row; {@code -Dorrery.takeovers=50} for the whole proof. */
  private static final int TAKEOVERS = Integer.getInteger("orrery.takeovers", 2);

  /** Requests each second; the rate of the proof is too much for a machine that does more. */
  private static final int RATE = TAKEOVERS > 2 ? 500 : 100;

  private static final int SENDERS = 50;

  /** Answers with its name, and each so many-th time with 500; tells when it begins to listen. */
  private static final String PROGRAM =
      """
      import itertools, os, time
      from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

      count = itertools.count(1)
      fails = int(os.environ.get('FAILS', '0'))

      class Handler(BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'

          def do_GET(self):
              body = os.environ['SAYS'].encode()
              bad = self.path != '/healthz' and fails and next(count) % fails == 0
              self.send_response(500 if bad else 200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)

          def log_message(self, *arguments):
              pass

      class Server(ThreadingHTTPServer):
          request_queue_size = 512

      server = Server(('127.0.0.1', int(os.environ['PORT'])), Handler)
      if 'TIMES' in os.environ:
          began = int(open('/proc/self/stat').read().rsplit(')', 1)[1].split()[19]) / 100
          age = time.clock_gettime(time.CLOCK_BOOTTIME) - began
          with open(os.environ['TIMES'], 'w') as file:
              file.write(f'{time.time()} {age}')
      server.serve_forever()
      """;

  private ObjectNode document(String name, String says) throws Exception {
    ObjectNode document = python(name, PROGRAM).put("health", "8080:/healthz");
    document.putObject("env").put("SAYS", says);
    return document;
  }

  private ObjectNode hosted(String name, String rollout) throws Exception {
    ObjectNode document = document(name, name).put("host", HOST);
    document.set("rollout", Json.parse(rollout));
    return document;
  }

  private JsonNode rollout() throws Exception {
    return server.get("/domains/" + HOST).get("rollout");
  }

  private void awaitRollout(String state, String reason) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode rollout = rollout();
          assertThat(rollout.get("state").textValue()).as("%s", rollout).isEqualTo(state);
          assertThat(rollout.get("reason").textValue()).contains(reason);
        });
  }

  private void awaitAnswers() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> exchange(address()).startsWith("HTTP/1.1 200"));
  }

  private URI address() throws Exception {
    return URI.create(server.get("/domains/" + HOST).get("url").textValue());
  }

  /** A client of the router: one request on a connection of its own. */
  private static String exchange(URI url) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", url.getPort())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(url.getHost())
                  .getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Requests at a fixed rate, whether the ones before are answered or not. */
  private static final class Steady implements AutoCloseable {
    final Queue<String> failures = new ConcurrentLinkedQueue<>();
    final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Steady(URI url) {
      clock.scheduleAtFixedRate(
          () -> {
            for (int i = 0; i < SENDERS; i++) {
              underWay.incrementAndGet();
              threads.execute(() -> send(url));
            }
          },
          0,
          TimeUnit.SECONDS.toMicros(SENDERS) / RATE,
          TimeUnit.MICROSECONDS);
    }

    private void send(URI url) {
      try {
        String answer = exchange(url);
        if (!answer.startsWith("HTTP/1.1 200")) {
          failures.add(answer);
        }
        answers.incrementAndGet();
      } catch (Exception e) {
        failures.add(e.toString());
      } finally {
        underWay.decrementAndGet();
      }
    }

    @Override
    public void close() {
      clock.shutdown();
      await().atMost(PATIENCE).until(() -> clock.isTerminated() && underWay.get() == 0);
      threads.close();
    }
  }

  @Test
  void takeoversUnderLoadLoseNoRequest() throws Exception {
    String rollout =
        """
        {"steps": [30, 100], "every": "1s", "keepWarm": "1s",
         "gates": {"errors": "<1%", "requests": 5}}
        """;
    put(hosted("digits-0", rollout).toString());
    awaitAnswers();

    long begun = System.nanoTime();
    Steady load = new Steady(address());
    try (load) {
      for (int i = 1; i <= TAKEOVERS; i++) {
        put(hosted("digits-" + i, rollout).toString());
        awaitRollout("IDLE", "digits-" + i + " has taken over");
        String before = "digits-" + (i - 1);
        await()
            .atMost(PATIENCE)
            .until(() -> state(before).get("status").textValue().equals("OFFLINE"));
        assertThat(load.failures).isEmpty();
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat(load.failures).isEmpty();
    LOG.warn(
        "{} takeovers under {} requests each second: none lost",
        TAKEOVERS,
        Math.round(load.answers.get() / seconds));
    assertThat(load.answers.get()).isGreaterThan((int) (seconds * RATE / 2));
  }

  @Test
  void twoErrorsInAHundredAreRolledBackInTheFirstStep() throws Exception {
    String rollout =
        """
        {"steps": [50, 100], "every": "10m", "gates": {"errors": "<1%"}}
        """;
    put(hosted("digits-1", rollout).toString());
    awaitAnswers();

    ObjectNode flaky = hosted("digits-2", rollout);
    flaky.withObjectProperty("env").put("FAILS", "50");
    try (Load load = new Load(address())) {
      put(flaky.toString());
      awaitRollout("ROLLED_BACK", "of its");
      assertThat(load.failures).isNotEmpty().allMatch(answer -> answer.equals("500 digits-2"));
      assertThat(rollout().get("reason").textValue()).contains("error");
    }
    assertThat(server.get("/domains/" + HOST).get("backends").toString())
        .isEqualTo("[{\"service\":\"digits-1\",\"percent\":100}]");
  }

  private URI resting(ObjectNode document) throws Exception {
    String name = document.get("name").textValue();
    document.putObject("replicas").put("min", 0).put("max", 1);
    put(document.toString());
    ready(name);
    server.post(path(name) + "/scale", "{\"replicas\": 0}");
    await().atMost(PATIENCE).until(() -> state(name).get("replicas").isEmpty());
    return URI.create(state(name).get("url").textValue());
  }

  private static List<String> atOnce(URI url, int requests) throws Exception {
    List<Future<String>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> one = () -> exchange(url);
      for (int i = 0; i < requests; i++) {
        all.add(threads.submit(one));
      }
    }
    List<String> answers = new ArrayList<>();
    for (Future<String> each : all) {
      answers.add(each.get());
    }
    return answers;
  }

  @Test
  void fiftyRequestsAtOnceToOneThatRestsAreAllAnswered() throws Exception {
    Path times = temp.toAbsolutePath().resolve("times");
    ObjectNode document = document("sleeper", "awake");
    document.withObjectProperty("env").put("TIMES", times.toString());
    URI url = resting(document);
    Files.delete(times);

    long asked = System.currentTimeMillis();
    List<String> answers = atOnce(url, 50);
    long answered = System.currentTimeMillis();

    assertThat(answers).hasSize(50).allMatch(answer -> answer.startsWith("HTTP/1.1 200"));
    String[] told = Files.readString(times).split(" ");
    long start = Math.round(Double.parseDouble(told[1]) * 1_000);
    LOG.warn(
        "from zero: answered after {} ms, of which the process took {} ms to listen",
        answered - asked,
        start);
    assertThat(answered - asked).isLessThan(start + Duration.ofSeconds(30).toMillis());
  }

  /** Starts from zero in a row; {@code -Dorrery.wakes=20} for a figure. */
  private static final int WAKES = Integer.getInteger("orrery.wakes", 2);

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aRequestToOneThatRestsWaitsForItsProgramAndLittleMore() throws Exception {
    Path times = temp.toAbsolutePath().resolve("times");
    ObjectNode document = document("sleeper", "awake");
    document.withObjectProperty("env").put("TIMES", times.toString());
    URI url = resting(document);

    List<Double> own = new ArrayList<>();
    for (int i = 0; i < WAKES; i++) {
      Files.delete(times);
      long asked = System.nanoTime();
      assertThat(exchange(url)).startsWith("HTTP/1.1 200");
      double waited = (System.nanoTime() - asked) / 1e6;
      double start = Double.parseDouble(Files.readString(times).split(" ")[1]) * 1_000;
      own.add(waited - start);
      LOG.warn("from zero: answered after {} ms, of which the program took {} ms", waited, start);
      server.post(path("sleeper") + "/scale", "{\"replicas\": 0}");
      await().atMost(PATIENCE).until(() -> state("sleeper").get("replicas").isEmpty());
    }
    own.sort(null);
    LOG.warn("from zero: {} ms beside the program, the median of {}", own.get(WAKES / 2), WAKES);
  }

  @Test
  void oneMoreThanMayWaitIsToldWhenToComeAgain() throws Exception {
    ObjectNode document =
        document("sleeper", "awake").put("command", "sleep 3; exec python3 server.py");
    URI url = resting(document);

    List<String> answers = atOnce(url, 101);

    assertThat(answers.stream().filter(answer -> answer.startsWith("HTTP/1.1 200"))).hasSize(100);
    assertThat(answers.stream().filter(answer -> !answer.startsWith("HTTP/1.1 200")))
        .singleElement()
        .asString()
        .startsWith("HTTP/1.1 429")
        .containsIgnoringCase("\r\nRetry-After: ");
  }
}
