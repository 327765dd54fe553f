package io.orrery.orchestrator.s3;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meets stores that do other things than they should. */
@Timeout(60)
class S3RequestsTest {
  private final List<Long> asked = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private HttpServer store;
  private S3Bucket bucket;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    store.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    store.start();
    URI at = URI.create("http://127.0.0.1:" + store.getAddress().getPort());
    bucket =
        new S3Bucket(
            new S3Settings(at, "artifacts", "us-east-1", "", "a", "b"),
            new SystemClock(vertx),
            () -> new S3Bucket.Keys("a", "b"));
  }

  @AfterEach
  void stop() throws Exception {
    bucket.close();
    store.stop(0);
    success(vertx.close());
  }

  private void answer(HttpHandler handler) {
    store.createContext(
        "/",
        exchange -> {
          asked.add(System.nanoTime());
          try (exchange) {
            handler.handle(exchange);
          }
        });
  }

  /** The whole object, which has no end, whatever was asked for. */
  private static void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream to = exchange.getResponseBody()) {
      byte[] piece = new byte[1 << 16];
      for (int i = 0; i < piece.length; i++) {
        piece[i] = (byte) i;
      }
      while (!Thread.currentThread().isInterrupted()) {
        to.write(piece);
      }
    }
  }

  @Test
  void ofAStoreThatIgnoresTheRangeThePieceAloneIsTaken() throws Exception {
    answer(S3RequestsTest::endless);

    assertThat(bucket.read("object", (40 << 20) + 3, 5)).containsExactly(3, 4, 5, 6, 7);
    assertThat(asked).hasSize(1);
  }

  @Test
  void aStoreThatIsBusyIsAskedAgainAfterPausesThatGrow() throws Exception {
    answer(exchange -> {
      if (asked.size() < 3) {
        exchange.sendResponseHeaders(503, -1);
      } else {
        exchange.sendResponseHeaders(206, 2);
        exchange.getResponseBody().write(new byte[] {1, 2});
      }
    });

    assertThat(bucket.read("object", 0, 2)).containsExactly(1, 2);

    assertThat(asked).hasSize(3);
    assertThat(pause(0)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    assertThat(pause(1)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  void aStoreThatSaysWhenIsAskedThenAndOneThatStaysBusyMayPass() throws Exception {
    answer(exchange -> {
      exchange.getResponseHeaders().set("Retry-After", "1");
      exchange.sendResponseHeaders(503, -1);
    });

    assertThatThrownBy(() -> bucket.read("object", 0, 2))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem()).isInstanceOf(Problem.Busy.class));

    assertThat(asked).hasSize(3);
    assertThat(pause(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
  }

  private Duration pause(int after) {
    return Duration.ofNanos(asked.get(after + 1) - asked.get(after));
  }
}
