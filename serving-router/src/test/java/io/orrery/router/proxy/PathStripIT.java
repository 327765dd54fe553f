package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Services whose endpoints know nothing of the path that they are behind. */
@AlsoOverTls
class PathStripIT extends RouterIT {
  @Test
  void theEndpointAndItsShadowGetThePathWithoutThePrefixWhichAFieldTells() throws Exception {
    ConcurrentLinkedQueue<String> copies = new ConcurrentLinkedQueue<>();
    Upstream endpoint = opened(Upstream.start(vertx, r -> r.response().end(seen(r))));
    Upstream shadow =
        opened(
            Upstream.start(
                vertx,
                r -> {
                  copies.add(seen(r));
                  r.response().end();
                }));
    route(
        """
          - {name: a, endpoints: ["%s"], path: {strip: /models/a}, mirror: "s:100%%"}
          - {name: s, endpoints: ["%s"]}
          - {name: plain, endpoints: ["%s"]}
        """
            .formatted(endpoint.address(), shadow.address(), endpoint.address()));

    assertThat(get("a", "/models/a/v1?x=1").text()).isEqualTo("/v1?x=1 [/models/a]");
    assertThat(get("a", "/models/a").text()).isEqualTo("/ [/models/a]");
    assertThat(get("a", "/models/ab").text()).isEqualTo("/models/ab []");
    assertThat(get("plain", "/models/a/v1").text()).isEqualTo("/models/a/v1 []");
    assertThat(
            send(
                    to(HttpMethod.GET, "a", "/models/a/v2")
                        .putHeader("X-Forwarded-Prefix", "/evil"),
                    null)
                .text())
        .isEqualTo("/v2 [/models/a]");
    await().atMost(10, SECONDS).until(() -> copies.size() == 4);
    assertThat(copies).contains("/v1?x=1 [/models/a]", "/models/ab []");
  }

  @Test
  void theClientsTwinOfTheFieldIsLeftOut() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .response()
                        .end(request.getHeader("X_Forwarded_Prefix") + " " + seen(request))));
    route(
        "  - {name: a, endpoints: [\"%s\"], path: {strip: /models/a}}\n"
            .formatted(endpoint.address()));

    assertThat(
            send(
                    to(HttpMethod.GET, "a", "/models/a/v1")
                        .putHeader("X_Forwarded_Prefix", "/evil"),
                    null)
                .text())
        .isEqualTo("null /v1 [/models/a]");
  }

  private static String seen(HttpServerRequest request) {
    return request.uri() + " " + request.headers().getAll("X-Forwarded-Prefix");
  }
}
