package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.gateway.http.PlainPage;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The page behind a proxy that serves it below a path and takes that path away (G8). */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class PathPrefixIT extends InShop {
  private static final String PREFIX = "/team/tune";

  private static Vertx vertx;
  private static HttpClient client;
  private static URI address;

  @BeforeAll
  static void proxy() throws Exception {
    vertx = Vertx.vertx();
    client = vertx.createHttpClient();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(PathPrefixIT::pass)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    address = URI.create("http://127.0.0.1:" + server.actualPort() + PREFIX);
  }

  @AfterAll
  static void closeProxy() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Anything that is not below the prefix is another program's: 404. */
  private static void pass(HttpServerRequest request) {
    if (!request.uri().startsWith(PREFIX + "/")) {
      request.response().setStatusCode(404).end();
      return;
    }
    request.pause();
    client
        .request(
            request.method(),
            shop.server().url().getPort(),
            "127.0.0.1",
            request.uri().substring(PREFIX.length()))
        .compose(onward -> {
          onward.headers().setAll(request.headers());
          return onward.send(request);
        })
        .compose(answer -> {
          request.response().setStatusCode(answer.statusCode());
          request.response().headers().setAll(answer.headers());
          return answer.pipeTo(request.response());
        })
        .onFailure(gone -> request.connection().close());
  }

  @Test
  void everythingWorksBelowAPathOfAProxyWithoutTheServerKnowingIt() throws Exception {
    String id = shop.finished("below a path", "1, 2", "quick");
    try (Visit visit = new Visit(chromium, address).to("/experiments/" + id)) {
      assertThat(visit.at("h1")).hasText("below a path");
      assertThat(visit.at("history-chart canvas").first()).isVisible();
      visit.at(".top .brand").click();
      assertThat(visit.at("tr[data-id=" + id + "]")).isVisible();
      String live = shop.create("live below a path", "1", "waits");
      // Its only trial runs: the tuner may have said already that there will be no other.
      assertThat(visit.at("tr[data-id=" + live + "] .pill"))
          .hasText(Pattern.compile("Running|Finishing"));
      shop.openGate();
      assertThat(visit.at("tr[data-id=" + live + "] .pill")).hasText("Done");
      visit.to("/about");
      visit.link("Reference").click();
      assertThat(visit.at(".reference h1")).isVisible();
      assertThat(visit.page().url()).isEqualTo(address + "/docs");
      visit.at(".brand").click();
      assertThat(visit.at("h1")).hasText("Experiments");
    }
  }

  @Test
  void addressesInAnswersAreRelativeToTheRequest() {
    assertThat(PlainPage.from("/", "login")).isEqualTo("login");
    assertThat(PlainPage.from("/docs", "")).isEqualTo("./");
    assertThat(PlainPage.from("/api/v1/session", "")).isEqualTo("../../");
  }
}
