package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.EdgeOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeProtectionIT extends EdgeFixture {
  /** E11: with the dot of the root it is the same name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8080",
        "[::1]",
        "[::1]:8080",
        "localhost.",
        "LocalHost.:8080"
      })
  void aRequestToThisMachineIsServed(String host) throws Exception {
    assertThat(edge.ask(LIST, "Host: " + host)).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example.",
        "localhost..",
        ".",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "orrery.localhost",
        "0.0.0.0",
        "[::2]"
      })
  void aRequestToAnotherNameIsForbidden(String host) throws Exception {
    assertThat(edge.ask(LIST, "Host: " + host))
        .startsWith("HTTP/1.1 403")
        .contains("application/problem+json")
        .contains("/problems/forbidden");
    assertThat(edge.questions).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "Host: a\r\nHost: localhost",
        "Host: user@localhost",
        "Host: localhost:65536",
        "Host: "
      })
  void aRequestThatDoesNotSayWhomItIsForIsRefused(String header) throws Exception {
    assertThat(edge.ask(LIST, header)).startsWith("HTTP/1.1 400");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example",
        "null",
        "https://localhost.evil.example",
        "http://localhost:3000",
        "file://localhost",
        "http://127.0.0.1:8080/path"
      })
  void aPageOfAnotherOriginIsForbidden(String origin) throws Exception {
    assertThat(edge.ask(LIST, "Host: 127.0.0.1:8080", "Origin: " + origin))
        .startsWith("HTTP/1.1 403");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://127.0.0.1:8080", "http://localhost:8080", "http://localhost.:8080"})
  void aPageOfOursIsServed(String origin) throws Exception {
    assertThat(edge.ask(LIST, "Host: 127.0.0.1:8080", "Origin: " + origin))
        .startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/trial/x.y.1.z", "/health/live", "/", "/nowhere", "/%zz"})
  void everyPathIsGuarded(String path) throws Exception {
    assertThat(edge.ask("GET " + path, "Host: evil.example")).startsWith("HTTP/1.1 403");
  }

  @Test
  void anAddressThatNamesAnotherServerThanTheHostIsForbidden() throws Exception {
    assertThat(edge.ask("GET http://evil.example/", "Host: localhost")).startsWith("HTTP/1.1 403");
  }

  /** E5: RFC 9112 section 3.2.2: the address says whom the request is for, not the Host. */
  @Test
  void anAddressInAbsoluteFormIsReadAsItsParts() throws Exception {
    assertThat(edge.ask("GET http://localhost/api/v1/experiments", "Host: evil.example"))
        .startsWith("HTTP/1.1 200");
    assertThat(edge.ask("GET http://localhost?q=/nowhere", "Host: localhost"))
        .doesNotStartWith("HTTP/1.1 4");
    assertThat(edge.ask("GET http://evil.example?q=http://localhost/", "Host: localhost"))
        .startsWith("HTTP/1.1 403");
  }

  /** E5: RFC 9112 section 7.1. */
  @Test
  void aBodyThatIsNotInChunksIsAnsweredWith400() throws Exception {
    assertThat(
            edge.ask(
                "POST /api/v1/experiments",
                "Host: localhost",
                "Transfer-Encoding: chunked\r\n\r\nzz"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "the body is not in chunks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/health/live", "/nowhere", "/api/v1/experiments"})
  void everyAnswerCarriesTheSecurityHeaders(String path) throws Exception {
    assertThat(edge.get(path).headers().map())
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .hasEntrySatisfying(
            "content-security-policy",
            policy ->
                assertThat(policy).singleElement().asString().endsWith("frame-ancestors 'none'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/experiments/",
        "/api/v1/experiments//",
        "/api/v1/experiments//trials",
        "/api/v1//experiments",
        "/api/v1/experiments/.",
        "/api/v1/experiments/abc/..",
        "/api/v1/experiments/abc/%2e%2E",
        "/api/v1/experiments/abc/..%2Ftrials",
        "/api/v1/experiments/abc%5C..",
        "/api/v1/experiments/%2e?limit=1"
      })
  void anAddressWithAnEmptyIdLeadsNowhereElse(String path) throws Exception {
    assertThat(edge.ask("GET " + path, "Host: localhost"))
        .startsWith("HTTP/1.1 404")
        .contains("a part of it is empty or dots, where an id belongs");
    assertThat(edge.questions).isEmpty();
  }

  static Stream<Arguments> problems() {
    return Stream.of(
        Arguments.of(new Problem.Refused("Wrong.", List.of()), 400, "refused"),
        Arguments.of(new Problem.Unauthorized("Who?"), 401, "unauthorized"),
        Arguments.of(new Problem.Forbidden("No."), 403, "forbidden"),
        Arguments.of(new Problem.NotFound("Where?"), 404, "not-found"),
        Arguments.of(new Problem.Conflict("Not now."), 409, "conflict"),
        Arguments.of(new Problem.TooLarge("Less."), 413, "too-large"),
        Arguments.of(new Problem.Busy("Later.", Duration.ofMillis(1_001)), 429, "busy"));
  }

  @ParameterizedTest
  @MethodSource("problems")
  void aProblemHasItsStatusAndItsWords(Problem problem, int status, String type) throws Exception {
    edge.on(Experiments.GET, question -> Future.failedFuture(problem.toException()));

    var response = edge.get("/api/v1/experiments/digits01");

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(json(response).at("/type").asText()).isEqualTo("/problems/" + type);
    assertThat(json(response).at("/title").asText()).isNotBlank();
    assertThat(json(response).at("/status").asInt()).isEqualTo(status);
    assertThat(json(response).at("/detail").asText()).isEqualTo(problem.detail());
    assertThat(response.headers().firstValue("Retry-After").orElse(""))
        .isEqualTo(status == 429 ? "2" : "");
  }

  @Test
  void aRequestWithoutAHandlerYetMayBeRepeated() throws Exception {
    var response = edge.get("/api/v1/experiments/digits01");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(response.body()).contains("/problems/unavailable");
  }

  @Test
  void aFaultOfOursIsNotSpelledOut() throws Exception {
    edge.on(
        Experiments.GET,
        question -> Future.failedFuture(new IllegalStateException("table experiments is locked")));

    var response = edge.get("/api/v1/experiments/digits01");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).doesNotContain("locked").contains("/problems/broken");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nowhere", "/api/v1", "/api/v1/experiments/digits01/nothing", "/api/v2/tuners"})
  void anUnknownPathIsNotFound(String path) throws Exception {
    var response = edge.get(path);

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(json(response).at("/type").asText()).isEqualTo("/problems/not-found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PUT; /api/v1/experiments; GET, HEAD, POST",
        "POST; /api/v1/experiments/digits01; DELETE, GET, HEAD, PATCH",
        "GET; /api/v1/experiments/digits01/stop; POST",
        "DELETE; /trial/token; GET, PUT",
      })
  void aWrongMethodLearnsTheRightOnes(String method, String path, String allow) throws Exception {
    var response = edge.send(method, path, "");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue(allow);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/experiments/a%20b, 404",
    "/api/v1/experiments/a.b, 404",
    "/api/v1/experiments/digits01/trials/a%2Fb, 404",
    "/api/v1/experiments/%zz, 400",
    "/api/v1/experiments?cursor=%zz, 400",
  })
  void anAddressThatCannotBeIsRefused(String path, int status) throws Exception {
    assertThat(edge.ask("GET " + path, "Host: localhost"))
        .startsWith("HTTP/1.1 " + status)
        .contains("problem+json");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aHeadHasTheHeadersOfTheAnswerAndNoBody() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write("HEAD /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(raw.rest().toLowerCase(Locale.ROOT))
          .startsWith("http/1.1 200")
          .contains("content-length: 15")
          .endsWith("\r\n\r\n");
    }
  }

  @Test
  void healthTellsLivingFromReady() throws Exception {
    edge.ready = false;
    assertThat(edge.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(edge.get("/health/ready").statusCode()).isEqualTo(503);
    edge.ready = true;
    assertThat(edge.get("/health/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void aPortThatIsTakenFailsTheDeployment() {
    assertThatThrownBy(() -> EdgeServer.start(EdgeOptions.loopback(edge.port())))
        .hasMessageContaining("in use");
  }
}
