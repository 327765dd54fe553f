package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.gateway.http.EdgeOptions;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests bodies and heads that are too large, too slow or no HTTP. */
class EdgeLimitsIT extends EdgeFixture {
  @Test
  void aDeclaredBodyOfAHundredMegabytesIsRefusedBeforeItComes() throws Exception {
    assertThat(edge.ask("POST /api/v1/experiments", "Host: localhost", "Content-Length: 104857600"))
        .startsWith("HTTP/1.1 413")
        .contains("16,777,216");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "POST;  /api/v1/experiments;                           16,777,216",
        "PATCH; /api/v1/experiments/digits01;                  1,048,576",
        "POST;  /api/v1/experiments/digits01/trials;           1,048,576",
        "POST;  /api/v1/metrics;                               16,777,216",
        "PUT;   /trial/TOKEN;                                  4,194,304",
        "PUT;   /api/v1/nni/experiment?update_type=SEARCH_SPACE; 16,777,216",
        "POST;  /api/v1/nni/trial-jobs;                        1,048,576",
      })
  void everyBodyHasALimitThatIsNamed(String method, String path, String limit) throws Exception {
    String address = path.replace("TOKEN", edge.tokens.of(Samples.ATTEMPT));
    long tooMuch = Long.parseLong(limit.replace(",", "")) + 1;
    assertThat(edge.ask(method + " " + address, "Host: localhost", "Content-Length: " + tooMuch))
        .startsWith("HTTP/1.1 413")
        .contains("application/problem+json", "/problems/too-large", limit + " bytes");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aClientThatWritesAHundredMegabytesFirstStillReadsTheRefusal() throws Exception {
    var config = postMegabytes("/api/v1/experiments");
    var line = postMegabytes("/api/v1/metrics");

    assertThat(config.statusCode()).isEqualTo(413);
    assertThat(json(config).at("/type").asText()).isEqualTo("/problems/too-large");
    // It has no line feed, and a line has a limit of its own.
    assertThat(line.statusCode()).isEqualTo(400);
    assertThat(json(line).at("/errors/0/line").asInt()).isEqualTo(1);
    assertThat(edge.questions).isEmpty();
  }

  private HttpResponse<String> postMegabytes(String path) throws Exception {
    return edge.client()
        .send(
            edge.request(path).POST(BodyPublishers.ofInputStream(() -> megabytes(100))).build(),
            BodyHandlers.ofString());
  }

  @Test
  void aRefusedBodyLeavesTheConnectionUsable() throws Exception {
    byte[] megabyte = new byte[1 << 20];
    edge.close();
    // A busy machine takes longer than the time limits of the other cases for so large a body.
    edge = EdgeServer.start(EdgeOptions.loopback(0));
    try (RawClient raw = edge.raw()) {
      raw.write(
          "POST /api/v1/metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20971520\r\n\r\n");
      for (int written = 0; written < 20; written++) {
        raw.write(megabyte, megabyte.length);
      }
      assertThat(raw.answer()).startsWith("HTTP/1.1 413");
      raw.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aClientThatAsksFirstIsToldWhetherToSend() throws Exception {
    String question =
        String.join(
            "\r\n",
            "POST /api/v1/experiments HTTP/1.1",
            "Host: localhost",
            "Expect: 100-continue",
            "Content-Length: %d",
            "",
            "");
    try (RawClient raw = edge.raw()) {
      raw.write(question.formatted(2));
      assertThat(raw.answer()).startsWith("HTTP/1.1 100");
      raw.write("{}");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    try (RawClient raw = edge.raw()) {
      raw.write(question.formatted(20 << 20));
      assertThat(raw.rest()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void aBodyThatStopsHalfwayIsCutOff() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(
          "POST /api/v1/experiments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
      assertThat(raw.rest()).startsWith("HTTP/1.1 408").contains("problem+json");
    }
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aClientThatLeavesHalfwayChangesNothingAndOthersAreServed() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(
          "POST /api/v1/experiments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
    }
    assertThat(edge.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(edge.questions).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: local"})
  void aConnectionWithoutAWholeRequestIsClosed(String half) throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(half);
      assertThat(raw.rest()).isEmpty();
    }
  }

  @Test
  void aConnectionThatIsKeptForNothingIsClosed() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.rest()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aHeadThatIsTooLongOrNoHttpIsRefused() throws Exception {
    String name = "x".repeat(9_000);
    assertThat(edge.ask("GET /" + name, "Host: localhost"))
        .contains(" 414 ", "problem+json", "8,192 bytes");
    assertThat(edge.ask("GET /", "Host: localhost", "A: " + name, "B: " + name))
        .contains(" 431 ", "problem+json", "16,384 bytes");
    assertThat(edge.ask("GET /", "Host: localhost", "A\u0001B: c"))
        .contains(" 400 ", "problem+json");
  }

  /** E3: the connection ends with the refusal, and nothing behind it is answered. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.1|Host: localhost|Transfer-Encoding: gzip, chunked||0||",
        "POST / HTTP/1.1|Host: localhost|Transfer-Encoding:| chunked||0||",
        "POST / HTTP/1.1|Host: localhost|Transfer-Encoding: gzip,| chunked||0||",
        "POST / HTTP/1.1|Host: localhost|Transfer-Encoding: chunked|Content-Length: 5||0||",
        "POST / HTTP/1.1|Host: localhost|Content-Length: 1234567890123456789012||hello",
        "POST / HTTP/1.1|Host: localhost|Content-Length: 0000000000000000000005||hello",
        "POST / HTTP/1.1|Host: localhost|Content-Length: 5|Content-Length: 6||hello",
        "POST / HTTP/1.1|Host: localhost|Content-Length: +5||hello",
        "GET / HTTP/1.1|Host: localhost|Host: localhost||",
        "GET / HTTP/1.1|Host: localhost:99999||",
        "GET / HTTP/1.1|Host: a b||",
        "GET / HTTP/1.1||",
        "GET * HTTP/1.1|Host: localhost||",
        "GET x HTTP/1.1|Host: localhost||",
        "GET / HTTP/2.0|Host: localhost||",
        "GET / HTP/1.1|Host: localhost||",
        "GET /\u00e4 HTTP/1.1|Host: localhost||",
        "CONNECT localhost:80 HTTP/1.1|Host: localhost||",
        "GET / HTTP/1.1|Host: localhost|A B: c||",
      })
  void nothingBehindAnUnreadableRequestIsAnswered(String request) throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(
          request.replace("|", "\r\n")
              + "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2));
      assertThat(raw.rest())
          .matches(Pattern.compile("HTTP/1\\.1 (400|501|505) .*", Pattern.DOTALL))
          .containsIgnoringCase("\r\nconnection: close\r\n")
          .doesNotContain(" 200 OK");
    }
    assertThat(edge.questions).isEmpty();
  }

  private static InputStream megabytes(int count) {
    byte[] megabyte = new byte[1 << 20];
    return new SequenceInputStream(
        Collections.enumeration(
            Stream.generate(() -> (InputStream) new ByteArrayInputStream(megabyte))
                .limit(count)
                .toList()));
  }
}
