package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.orrery.router.policy.CopyBudget;
import io.orrery.router.telemetry.Differences.Difference;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Tests how requests are divided and copied. */
@AlsoOverTls
class TrafficIT extends RouterIT {
  @Test
  void aSplitIsAsExactAsChanceAllowsAndEveryRequestIsCounted() throws Exception {
    Upstream a = opened(Upstream.named(vertx, "a"));
    Upstream b = opened(Upstream.named(vertx, "b"));
    route(
        """
          - {name: a, endpoints: ["%s"], split: "b:10%%"}
          - {name: b, endpoints: ["%s"]}
        """
            .formatted(a.address(), b.address()));
    // Half a point is five standard deviations of 100,000 requests; of fewer they are wider.
    int requests = Integer.getInteger("orrery.split.requests", 10_000);
    for (int left = requests; left > 0; left -= 5_000) {
      gather(Math.min(left, 5_000), i -> to(HttpMethod.GET, "a", "/"));
    }

    assertThat(a.requests() + b.requests()).isEqualTo(requests);
    assertThat(b.requests() / (double) requests)
        .isCloseTo(0.1, within(5.2 * Math.sqrt(0.09 / requests)));
    assertThat(
            metric(
                "orrery_router_request_duration_seconds_count{service=\"a\",version=\"b\",code=\"2xx\"}"))
        .isEqualTo(b.requests());
  }

  @Test
  void aStickyClientStaysWithItsVersion() throws Exception {
    Upstream a = opened(Upstream.named(vertx, "a"));
    Upstream b = opened(Upstream.named(vertx, "b"));
    route(
        """
          - {name: a, endpoints: ["%s"], split: "b:50%%", sticky: {cookie: canary}}
          - {name: b, endpoints: ["%s"]}
        """
            .formatted(a.address(), b.address()));

    Set<String> seen = new HashSet<>();
    for (int user = 0; user < 20; user++) {
      Set<String> versions = new HashSet<>();
      for (int i = 0; i < 5; i++) {
        versions.add(
            send(to(HttpMethod.GET, "a", "/").putHeader("Cookie", "x=1; canary=u" + user), null)
                .text());
      }
      assertThat(versions).hasSize(1);
      seen.addAll(versions);
    }
    assertThat(seen).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void everyRequestWithinTheBudgetIsCopiedWithItsBody() throws Exception {
    ConcurrentLinkedQueue<String> copies = new ConcurrentLinkedQueue<>();
    Upstream a = opened(Upstream.named(vertx, "a"));
    Upstream shadow =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body -> {
                          copies.add(body.toString());
                          request.response().setStatusCode(500).end("never seen");
                        })));
    route(
        """
          - {name: a, endpoints: ["%s"], mirror: "b:100%%"}
          - {name: b, endpoints: ["%s"], ejection: {consecutive: 10000}}
        """
            .formatted(a.address(), shadow.address()));
    int requests = 0;
    while (requests < 2_000) {
      int from = requests;
      List<Answer> answers =
          gather(200, i -> to(HttpMethod.POST, "a", "/"), i -> Buffer.buffer("body " + (from + i)));
      requests += 200;
      assertThat(answers).allSatisfy(answer -> assertThat(answer.text()).isEqualTo("a"));
      int all = requests;
      await().atMost(10, SECONDS).until(() -> copies.size() == all);
    }
    assertThat(new HashSet<>(copies)).hasSize(requests);
    await().atMost(5, SECONDS).until(() -> divergences("b", "status") == copies.size());
    assertThat(divergences("b", "body")).isZero();
  }

  private double divergences(String shadow, String differs) {
    return metric(
        "orrery_router_mirror_divergences_total{service=\"a\",version=\"%s\",differs=\"%s\"}"
            .formatted(shadow, differs));
  }

  @Test
  void bodiesAreComparedWhereThatIsAskedFor() throws Exception {
    Upstream a = opened(Upstream.start(vertx, request -> request.response().end("one two")));
    Upstream chunked =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  request.response().setChunked(true).write("one ");
                  request.response().end("two");
                }));
    Upstream other = opened(Upstream.start(vertx, request -> request.response().end("one Two")));
    route(
        """
          - name: a
            endpoints: ["%s"]
            mirror: "same:100%%,other:100%%,ignored:100%%"
            compareBodies: [same, other]
          - {name: same, endpoints: ["%s"]}
          - {name: other, endpoints: ["%s"]}
          - {name: ignored, endpoints: ["%s"]}
        """
            .formatted(a.address(), chunked.address(), other.address(), other.address()));

    for (int i = 0; i < 20; i++) {
      assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("x")).text())
          .isEqualTo("one two");
    }

    await()
        .atMost(5, SECONDS)
        .until(() -> metric("orrery_router_mirror_duration_seconds_count") == 60);
    assertThat(divergences("other", "body")).isEqualTo(20);
    assertThat(divergences("same", "body")).isZero();
    assertThat(divergences("ignored", "body")).isZero();
    assertThat(metric("orrery_router_mirror_divergences_total")).isEqualTo(20);
    Difference last = router.inbox().meters().shadows().differences("a", "other").getFirst();
    assertThat(last.request()).isEqualTo("POST /");
    assertThat(last.told().beginning()).asString().isEqualTo("one two");
    assertThat(last.said().beginning()).asString().isEqualTo("one Two");
  }

  @Test
  void aLargeBodyIsCopiedAsItFlows() throws Exception {
    ConcurrentLinkedQueue<Integer> copies = new ConcurrentLinkedQueue<>();
    Upstream a =
        opened(
            Upstream.start(
                vertx, request -> request.body().onSuccess(body -> request.response().end("ok"))));
    Upstream shadow =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body -> {
                          copies.add(body.length());
                          request.response().end();
                        })));
    route(
        """
          - {name: a, endpoints: ["%s"], mirror: "b:100%%"}
          - {name: b, endpoints: ["%s"]}
        """
            .formatted(a.address(), shadow.address()));

    send(to(HttpMethod.POST, "a", "/"), Buffer.buffer(new byte[1_000_000]));

    await().atMost(5, SECONDS).until(() -> copies.contains(1_000_000));
  }

  @Test
  void aShadowThatNeverAnswersOrIsDeadChangesNothingForTheClient() throws Exception {
    Upstream a = opened(Upstream.named(vertx, "a"));
    Upstream mute = opened(Upstream.start(vertx, request -> {}));
    Upstream dead = Upstream.named(vertx, "dead");
    dead.kill();
    route(
        """
          - {name: a, endpoints: ["%s"], mirror: "mute:100%%,dead:100%%"}
          - {name: mute, endpoints: ["%s"]}
          - {name: dead, endpoints: ["%s"]}
        """
            .formatted(a.address(), mute.address(), dead.address()));
    int requests = 1_000;
    List<Answer> answers = gather(requests, i -> to(HttpMethod.GET, "a", "/"));

    assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
    assertThat(mute.requests()).isLessThanOrEqualTo(CopyBudget.MOST_COPIES);
    assertThat(
            metric(
                "orrery_router_mirror_requests_total{service=\"a\",version=\"mute\",result=\"dropped\"}"))
        .isEqualTo(requests - CopyBudget.MOST_COPIES);
    assertThat(
            metric(
                "orrery_router_mirror_requests_total{service=\"a\",version=\"dead\",result=\"failed\"}"))
        .isBetween(1.0, 100.0);
  }

  private List<Answer> gather(int requests, IntFunction<RequestOptions> options) throws Exception {
    return gather(requests, options, i -> Buffer.buffer());
  }

  private List<Answer> gather(
      int requests, IntFunction<RequestOptions> options, IntFunction<Buffer> bodies)
      throws Exception {
    List<Future<Answer>> all = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      Buffer body = bodies.apply(i);
      all.add(ask(client, options.apply(i), body.length() == 0 ? null : body));
    }
    Future.all(all).await(30, SECONDS);
    return all.stream().map(Future::result).toList();
  }
}
