package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Route;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests how much has to come, in how many steps, before there is something to see (G7). */
@Timeout(120)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class PageSpeedIT extends InShop {
  private static String id;

  @BeforeAll
  static void experiment() throws Exception {
    id = shop.objectives("ten thousand", 10_000);
  }

  private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(shop.server().url() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    }
  }

  @Test
  void aChartOfTenThousandTrialsComesPackedAndSaysTheSame() throws Exception {
    String path = "/api/v1/experiments/" + id + "/points?maxPoints=20000";
    HttpResponse<byte[]> plain = get(path);
    HttpResponse<byte[]> packed = get(path, "Accept-Encoding", "gzip");

    assertThat(packed.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(packed.headers().firstValue("Vary").orElse(""))
        .containsIgnoringCase("accept-encoding");
    assertThat(packed.body().length).isLessThan(plain.body().length / 2);
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aShortAnswerAndOneWithATagGoOutAsTheyAre() throws Exception {
    HttpResponse<byte[]> live = get("/health/live", "Accept-Encoding", "gzip");

    assertThat(live.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(live.headers().firstValueAsLong("Content-Length")).hasValue(live.body().length);
  }

  /** Addresses of the modules that came, and whether the page had named each. */
  private static final String UNNAMED =
      """
      () => {
        const named = new Set([...document.querySelectorAll('link[rel=modulepreload], script[src]')].map(it => it.href || it.src));
        return performance.getEntriesByType('resource').map(it => it.name).filter(name => name.endsWith('.js') && !named.has(name) && !name.includes('/echarts/'));
      }
      """;

  @Test
  void everyModuleOfAViewIsNamedInThePageSoThatNoneWaitsForAnother() {
    for (String address :
        List.of(
            "/",
            "/experiments/" + id,
            "/new",
            "/routes",
            "/services",
            "/services/none",
            "/pipelines/none",
            "/runs/none",
            "/documents/pipeline",
            "/log")) {
      try (Visit visit = new Visit(chromium, shop.server().url()).to(address)) {
        assertThat(visit.at("h1, h2").first()).isVisible();
        assertThat((List<?>) visit.page().evaluate(UNNAMED)).as(address).isEmpty();
      }
    }
  }

  @Test
  void allStyleComesInOneFileAndASkeletonIsSeenBeforeTheModules() {
    try (Visit visit = new Visit(chromium, shop.server().url())) {
      visit.page().route(Pattern.compile(".*/(app|shell/top-bar)\\.js"), PageSpeedIT::leaveEmpty);
      visit.to("/");
      assertThat(visit.at(".skeleton .bone").first()).isVisible();
      assertThat(visit.at("link[rel=stylesheet]")).hasCount(1);
      assertThat(visit.at(".brand")).hasText("Orrery");
    }
  }

  /** A module that does nothing, as before it has come. */
  private static void leaveEmpty(Route route) {
    route.fulfill(new Route.FulfillOptions().setContentType("text/javascript").setBody(""));
  }

  /** On a line of 100 ms and 2 Mbit/s, with an empty cache. */
  @Test
  void somethingIsPaintedWithinOneAndAHalfSecondsOnASlowLine() throws Exception {
    // The server packs the files of the page when they are asked for the first time.
    get("/", "Accept-Encoding", "gzip");
    for (String address : new String[] {"/", "/experiments/" + id}) {
      try (Visit visit = new Visit(chromium, shop.server().url())) {
        CDPSession session = visit.page().context().newCDPSession(visit.page());
        session.send("Network.enable");
        JsonObject line = new JsonObject();
        line.addProperty("offline", false);
        line.addProperty("latency", 100);
        line.addProperty("downloadThroughput", 250_000);
        line.addProperty("uploadThroughput", 250_000);
        session.send("Network.emulateNetworkConditions", line);
        visit.to(address);
        assertThat(visit.at("h1").first()).isVisible();
        Object painted =
            visit
                .page()
                .evaluate(
                    "Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)");
        Object heading = visit.page().evaluate("Math.round(performance.now())");
        System.out.println(
            address + ": first paint after " + painted + " ms, heading after " + heading + " ms");
        assertThat(((Number) painted).intValue()).as(address).isLessThan(1_500);
      }
    }
  }
}
