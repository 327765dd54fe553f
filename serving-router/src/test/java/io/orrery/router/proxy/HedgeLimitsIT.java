package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.OriginPasses;
import io.orrery.router.health.EndpointState;
import io.orrery.router.route.Picker;
import io.orrery.router.route.Service;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test which requests are hedged, how many of them, and where they go. */
@AlsoOverTls
class HedgeLimitsIT extends RouterIT {
  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private HeldEndpoint one;
  private HeldEndpoint two;
  private HeldEndpoint three;

  @BeforeEach
  void endpoints() throws Exception {
    one = opened(new HeldEndpoint(vertx, "one"));
    two = opened(new HeldEndpoint(vertx, "two"));
    three = opened(new HeldEndpoint(vertx, "three"));
  }

  @Override
  OriginPasses passes() {
    return passes;
  }

  private static String service(String name, String keys, HeldEndpoint... endpoints) {
    List<String> addresses = Stream.of(endpoints).map(each -> '"' + each.address() + '"').toList();
    return "  - {name: "
        + name
        + ", endpoints: "
        + addresses
        + ", balance: round-robin"
        + keys
        + "}\n";
  }

  private static String hedge(String after, String budget, String methods) {
    return ", hedge: {after: " + after + ", budget: " + budget + ", methods: [" + methods + "]}";
  }

  private Future<Answer> begin(HttpMethod method, String host) {
    return ask(client, to(method, host, "/x"), null);
  }

  private static List<Answer> whole(List<Future<Answer>> answers) throws Exception {
    return Future.all(answers).await(20, SECONDS).<Answer>list();
  }

  private int asked() {
    return one.requests() + two.requests() + three.requests();
  }

  private void all(int status) {
    Stream.of(one, two, three).forEach(each -> each.atOnce(status));
    if (status != 0) {
      Stream.of(one, two, three).forEach(each -> each.answer(status));
    }
  }

  private double withheld(String why) {
    return metric("orrery_router_hedges_withheld_total{version=\"a\",reason=\"" + why + "\"}");
  }

  private double sent() {
    return metric("orrery_router_hedges_total{version=\"a\"}");
  }

  @Test
  void hedgesEndWithTheirBudget() throws Exception {
    route(service("a", hedge("1ms", "25%", "GET"), one, two));
    all(200);
    for (int i = 0; i < 20; i++) {
      assertThat(send(to(HttpMethod.POST, "a", "/x"), Buffer.buffer("x")).status()).isEqualTo(200);
    }
    assertThat(sent()).isZero();
    all(0);

    // Requests that are not hedged pay as well: 5 of the 20, and a quarter of each that follows.
    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      answers.add(begin(HttpMethod.GET, "a"));
      int slow = i;
      await().atMost(20, SECONDS).until(() -> sent() + withheld("budget") == slow);
    }

    assertThat(sent()).isEqualTo(7);
    assertThat(withheld("budget")).isEqualTo(1);
    await().atMost(20, SECONDS).until(() -> asked() == 20 + 8 + 7);
    all(200);
    assertThat(whole(answers)).allMatch(answer -> answer.status() == 200);
  }

  @Test
  void onlyMethodsOfTheRuleAreSentTwice() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET, PUT"), one, two));
    List<Future<Answer>> answers = new ArrayList<>();
    answers.add(begin(HttpMethod.POST, "a"));
    answers.add(begin(HttpMethod.DELETE, "a"));
    answers.add(begin(HttpMethod.HEAD, "a"));
    await().atMost(20, SECONDS).until(() -> asked() == 3);
    answers.add(begin(HttpMethod.GET, "a"));
    await().atMost(20, SECONDS).until(() -> asked() == 5);
    answers.add(begin(HttpMethod.PUT, "a"));
    await().atMost(20, SECONDS).until(() -> asked() == 7);

    assertThat(Stream.concat(one.asked().stream(), two.asked().stream()))
        .extracting(HeldEndpoint.Asked::method)
        .containsExactlyInAnyOrder("POST", "DELETE", "HEAD", "GET", "GET", "PUT", "PUT");
    all(200);
    whole(answers);
  }

  @Test
  void aBodyThatIsHeldGoesToBothWholeAndOneThatFlowsToOne() throws Exception {
    route(service("a", hedge("1ms", "100%", "POST"), one, two));
    Buffer small = Buffer.buffer("x".repeat(60_000));
    Buffer large = Buffer.buffer("y".repeat(70_000));
    List<Future<Answer>> answers = new ArrayList<>();
    answers.add(ask(client, to(HttpMethod.POST, "a", "/x"), large));
    try (RawClient raw = raw()) {
      raw.write(
          "POST / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
      await().atMost(20, SECONDS).until(() -> asked() == 2);
      answers.add(ask(client, to(HttpMethod.POST, "a", "/x"), small));
      await().atMost(20, SECONDS).until(() -> asked() == 4);

      assertThat(sent()).isEqualTo(1);
      assertThat(Stream.concat(one.asked().stream(), two.asked().stream()))
          .extracting(HeldEndpoint.Asked::body)
          .containsExactlyInAnyOrder(large, Buffer.buffer("hello"), small, small);
      all(200);
      whole(answers);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void anUpgradeIsNotHedged() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET"), one, two));
    try (RawClient raw = raw()) {
      raw.write(
          "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: Upgrade\r\n"
              + "Upgrade: other\r\n\r\n");
      await().atMost(20, SECONDS).until(() -> asked() == 1);
      Future<Answer> plain = begin(HttpMethod.GET, "a");
      await().atMost(20, SECONDS).until(() -> asked() == 3);

      assertThat(sent()).isEqualTo(1);
      all(200);
      plain.await(20, SECONDS);
    }
  }

  @Test
  void theSecondEndpointIsOneOfTheVersionThatWasChosen() throws Exception {
    route(
        service("b", ", split: 'a:100%'", three)
            + service("a", hedge("1ms", "100%", "GET"), one, two));
    Future<Answer> answer = begin(HttpMethod.GET, "b");
    await().atMost(20, SECONDS).until(() -> asked() == 2);

    assertThat(one.requests()).isEqualTo(1);
    assertThat(two.requests()).isEqualTo(1);
    two.answer(200);
    assertThat(answer.await(20, SECONDS).text()).isEqualTo("two");
    assertThat(sent()).isEqualTo(1);
  }

  @Test
  void aVersionWithOneEndpointIsNotHedged() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET"), one) + service("b", "", two, three));
    Future<Answer> answer = begin(HttpMethod.GET, "a");
    await().atMost(20, SECONDS).until(() -> withheld("endpoint") == 1);

    assertThat(asked()).isEqualTo(1);
    one.answer(200);
    assertThat(answer.await(20, SECONDS).text()).isEqualTo("one");
  }

  @Test
  void theSecondEndpointOfAKeyIsTheNextInLineForIt() throws Exception {
    String keys =
        hedge("1ms", "100%", "GET").replace(", hedge", ", balance: {hash: 'path:2'}, hedge");
    route(service("a", keys, one, two, three).replace("balance: round-robin, ", ""));
    List<EndpointState> all = router.inbox().current().state("a").endpoints();
    Picker picker = new Picker(new SplittableRandom(1));
    for (int i = 0; i < 6; i++) {
      String path = "/key/" + i;
      EndpointState own = picker.pick(all, service().balance(), path, null);
      EndpointState next = picker.pick(all, service().balance(), path, own);
      all(200);
      of(Objects.requireNonNull(own)).atOnce(0);

      assertThat(get("a", path).text()).isEqualTo(name(of(Objects.requireNonNull(next))));
    }
  }

  private Service service() {
    return router.inbox().current().state("a").service();
  }

  private HeldEndpoint of(EndpointState state) {
    return Stream.of(one, two, three)
        .filter(each -> each.address().equals(state.address().toString()))
        .findFirst()
        .orElseThrow();
  }

  private String name(HeldEndpoint endpoint) {
    return endpoint == one ? "one" : endpoint == two ? "two" : "three";
  }

  @Test
  void aHedgeWaitsForNoConnection() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET") + ", limits: {connections: 1}", one, two));
    Future<Answer> both = begin(HttpMethod.GET, "a");
    await().atMost(20, SECONDS).until(() -> asked() == 2);
    Future<Answer> next = begin(HttpMethod.GET, "a");
    await().atMost(20, SECONDS).until(() -> withheld("connections") == 1);

    assertThat(sent()).isEqualTo(1);
    all(200);
    assertThat(both.await(20, SECONDS).status()).isEqualTo(200);
    assertThat(next.await(20, SECONDS).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"p50", "p99.9"})
  void aPercentileIsThatOfTheAnswersSoFar(String percentile) throws Exception {
    route(service("a", hedge(percentile, "100%", "GET"), one, two));
    all(200);
    for (int i = 0; i < 100; i++) {
      get("a", "/");
    }
    assertThat(withheld("samples")).as("too few answers").isPositive();
    all(0);
    // The percentile is looked at once a second; until then a request may be one of those without.
    await()
        .atMost(20, SECONDS)
        .until(() -> {
          double before = withheld("samples");
          Future<Answer> slow = begin(HttpMethod.GET, "a");
          await().atMost(20, SECONDS).until(() -> sent() > 0 || withheld("samples") > before);
          one.answer(200);
          two.answer(200);
          await()
              .atMost(20, SECONDS)
              .until(() -> {
                one.answer(200);
                two.answer(200);
                return slow.isComplete();
              });
          return sent() > 0;
        });
  }

  @Test
  void bothEndpointsOfAGuardedServiceGetItsToken() throws Exception {
    route(
        service(
            "a",
            hedge("1ms", "100%", "GET")
                + ", access: {audience: a, epoch: 1}, inject: {authorization: derived}",
            one,
            two));
    assertThat(get("a", "/x").status()).isEqualTo(401);
    assertThat(asked()).isZero();
    Future<Answer> answer =
        ask(
            client,
            to(HttpMethod.GET, "a", "/x")
                .putHeader("Cookie", "orrery_pass_a=" + passes.pass("a", 1, Instant.now())),
            null);
    await().atMost(20, SECONDS).until(() -> asked() == 2);
    String token = one.asked().getFirst().header();

    assertThat(token).startsWith("token ");
    assertThat(two.asked().getFirst().header()).isEqualTo(token);
    two.answer(200);
    assertThat(answer.await(20, SECONDS).text()).isEqualTo("two");
  }

  @Test
  void aRequestOverHttp2IsHedgedToo() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET"), one, two));
    HttpClient http2 =
        vertx.createHttpClient(
            speaking(new HttpClientOptions())
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    two.atOnce(200);

    Answer answer = ask(http2, to(HttpMethod.GET, "a", "/x"), null).await(20, SECONDS);

    assertThat(answer.text()).isEqualTo("two");
    http2.close().await(20, SECONDS);
  }

  @Test
  void aTableWithoutItEndsHedgingAndTheBytesAreForwardedAsTheyAre() throws Exception {
    route(service("a", hedge("1ms", "100%", "GET"), one, two));
    two.atOnce(200);
    assertThat(get("a", "/x").text()).isEqualTo("two");
    assertThat(metric("orrery_router_handed_over_total")).isEqualTo(fastPath ? 1 : 0);
    assertThat(router.inbox().current().state("a").isPlain()).isFalse();

    router.inbox().accept(table(service("a", "", one, two)));
    all(200);
    assertThat(router.inbox().current().state("a").isPlain()).isTrue();
    for (int i = 0; i < 10; i++) {
      get("a", "/x");
    }
    assertThat(sent()).isEqualTo(1);
  }
}
