package io.orrery.compute.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults of a service that its client must bear, from a socket that has all of them. */
class RestIT {
  private Vertx vertx;
  private Rest rest;
  private ServerSocket server;
  private volatile String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

  @BeforeEach
  void start() throws IOException {
    vertx = Vertx.vertx();
    rest = new Rest(vertx, Duration.ofSeconds(2), 1_000);
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual()
            .start(() -> {
              try (socket) {
                socket.getInputStream().read(new byte[10_000]);
                OutputStream out = socket.getOutputStream();
                out.write(answer.getBytes(StandardCharsets.UTF_8));
                out.flush();
                // Held open: who waits for more has to give up by itself.
                socket.getInputStream().read();
              } catch (IOException gone) {
                return;
              }
            });
      } catch (IOException closed) {
        return;
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    rest.close();
    server.close();
    vertx.close().await(20, TimeUnit.SECONDS);
  }

  private Request request() {
    return Request.of("GET", "http://127.0.0.1:" + server.getLocalPort() + "/jobs?password=hush");
  }

  private Problem problem() {
    try {
      return new Problem.Broken(rest.send(request()).body());
    } catch (ProblemException e) {
      return e.problem();
    }
  }

  @Test
  void anAnswerIsGivenWhateverItsStatus() {
    answer = "HTTP/1.1 418 Teapot\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nwords";

    Answer got = rest.send(request());

    assertThat(got.status()).isEqualTo(418);
    assertThat(got.body()).isEqualTo("words");
    assertThat(got.headers()).containsEntry("retry-after", "7");
  }

  @Test
  void anAnswerThatDoesNotComeIsNotWaitedFor() {
    answer = "";

    assertThat(problem())
        .isInstanceOf(Problem.Busy.class)
        .extracting(Problem::detail)
        .asString()
        .contains("cannot be reached")
        .doesNotContain("hush");
  }

  @Test
  void anAnswerThatStopsInTheMidstIsNotWaitedFor() {
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";

    assertThat(problem()).isInstanceOf(Problem.Busy.class);
  }

  @Test
  void anAnswerThatIsTooLongIsNotRead() {
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000);

    assertThat(problem().detail()).contains("more than 1000 bytes");
  }

  @Test
  void aRedirectIsNotFollowed() {
    answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";

    assertThat(rest.send(request()).status()).isEqualTo(302);
  }

  @Test
  void anUnreachableServiceIsReported() throws IOException {
    server.close();

    assertThat(problem().detail()).contains("cannot be reached").doesNotContain("hush");
  }

  @Test
  void whatARequestHoldsIsNotShown() {
    assertThat(request().with("Authorization", "Bearer hush").toString()).doesNotContain("hush");
  }

  /** K3: rights and places come back; and K5, for none of it is a refusal of our own. */
  @Test
  void aRefusalPassesWhereItSpeaksOfTheAccountOrOfThePlace() {
    Refusal refusal = new Refusal("Service at http://x", "/host", List.of());
    for (int status : List.of(401, 403, 404, 429, 503)) {
      assertThat(refusal.of(new Answer(status, Map.of(), "{}"), "list jobs").problem())
          .isInstanceOf(Problem.Busy.class);
    }
    assertThat(refusal.of(new Answer(400, Map.of(), "{}"), "submit it").problem())
        .isInstanceOf(Problem.Refused.class);
    assertThat(refusal.ofLogin(new Answer(400, Map.of(), "{}"), "log in").problem())
        .isInstanceOf(Problem.Busy.class);
  }

  @Test
  void aRefusalHasTheServicesWordsAndNoSecret() {
    Refusal refusal = new Refusal("Service at http://x", "/host", List.of("hush"));
    Answer busy = new Answer(429, Map.of("retry-after", "7"), "{\"message\": \"hush: too many\"}");

    assertThat(refusal.of(busy, "list jobs").problem())
        .isEqualTo(
            new Problem.Busy(
                "Service at http://x refused to list jobs: HTTP 429, …: too many",
                Duration.ofSeconds(7)));
    assertThatThrownBy(
            () -> {
              throw refusal.of(new Answer(401, Map.of(), "<html>"), "list jobs");
            })
        .hasMessage("Service at http://x refused to list jobs: HTTP 401");
  }
}
