package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of what a proxy adds and counts (E5): the Date of RFC 9110 section 6.6.1, and the
 * Max-Forwards of section 7.6.2.
 */
@AlsoOverTls
class ProxyDutiesIT extends RouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final String OLD = "Sun, 06 Nov 1994 08:49:37 GMT";

  /** The heads that the endpoint was sent, in lower case. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  private void answering(String fields) throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              told.add(head.toLowerCase(Locale.ROOT));
              return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 2\r\n\r\nok";
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
  }

  private String ask(String line, String fields) throws Exception {
    try (RawClient raw = raw()) {
      return raw.write(line + " HTTP/1.1\r\n" + HOST + fields + "\r\n").answer();
    }
  }

  private static List<String> dates(String answer) {
    return answer
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("date: "))
        .map(line -> line.substring(6))
        .toList();
  }

  private static void isNow(List<String> dates) {
    assertThat(dates).hasSize(1);
    Instant date =
        ZonedDateTime.parse(dates.getFirst(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    assertThat(Duration.between(date, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
    assertThat(dates.getFirst()).hasSize(OLD.length());
  }

  @Test
  void anAnswerWithoutDateGetsThePresentOne() throws Exception {
    answering("");

    isNow(dates(ask("GET /", "")));
    isNow(dates(ask("GET /", "TE: trailers\r\n")));
  }

  @Test
  void theDateOfAnEndpointStays() throws Exception {
    answering("DATE: " + OLD + "\r\n");

    assertThat(dates(ask("GET /", ""))).containsExactly(OLD);
    assertThat(dates(ask("GET /", "TE: trailers\r\n"))).containsExactly(OLD);
  }

  @Test
  void theRoutersOwnAnswersHaveADate() throws Exception {
    route("  - {name: a}\n");

    isNow(dates(ask("GET /", "")));
    isNow(dates(ask("GET /", "TE: trailers\r\n")));
    isNow(dates(ask("CONNECT a:1", "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "TRACE"})
  void maxForwardsIsCountedDown(String method) throws Exception {
    answering("");

    assertThat(ask(method + " /x", "Max-Forwards: 10\r\n")).startsWith("HTTP/1.1 200");
    assertThat(told.getLast()).contains("\r\nmax-forwards: 9\r\n");
    assertThat(ask("GET /x", "Max-Forwards: 10\r\n")).startsWith("HTTP/1.1 200");
    assertThat(told.getLast()).contains("\r\nmax-forwards: 10\r\n");
    assertThat(ask(method + " /x", "")).startsWith("HTTP/1.1 200");
    assertThat(told.getLast()).doesNotContain("max-forwards");
  }

  @Test
  void aRequestWhoseCountIsZeroIsAnsweredByTheRouter() throws Exception {
    answering("");

    String trace =
        ask("TRACE /x", "Max-Forwards: 0\r\nX-A: 1\r\nCookie: s\r\nAuthorization: t\r\n");
    assertThat(trace)
        .startsWith("HTTP/1.1 200")
        .containsIgnoringCase("content-type: message/http")
        .contains("TRACE /x HTTP/1.1\r\n", "X-A: 1\r\n")
        .doesNotContainIgnoringCase("cookie")
        .doesNotContainIgnoringCase("authorization");
    assertThat(ask("OPTIONS *", "Max-Forwards: 0\r\n"))
        .startsWith("HTTP/1.1 200")
        .containsIgnoringCase("content-length: 0\r\n");
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "1, 2", "", "1234567890123456789"})
  void maxForwardsIsANumber(String value) throws Exception {
    answering("");

    assertThat(ask("TRACE /", "Max-Forwards: " + value + "\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("Max-Forwards is one number");
    assertThat(told).isEmpty();
  }
}
