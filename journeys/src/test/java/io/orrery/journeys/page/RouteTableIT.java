package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page of the serving router, with the real router, real endpoints and requests through it. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class RouteTableIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+)");

  @TempDir static Path home;
  private static Chromium chromium;
  private static ServerProcess server;
  private static HttpServer good;
  private static HttpServer bad;
  private static int router;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    good = endpoint(200);
    bad = endpoint(500);
    server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> READY.matcher(server.log()).find());
    Matcher ready = READY.matcher(server.log());
    assertThat(ready.find()).isTrue();
    router = Integer.parseInt(ready.group(1));
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
    good.stop(0);
    bad.stop(0);
  }

  private static HttpServer endpoint(int status) throws IOException {
    HttpServer endpoint =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    endpoint.start();
    return endpoint;
  }

  private static String address(HttpServer endpoint) {
    return "127.0.0.1:" + endpoint.getAddress().getPort();
  }

  private static void put(String table) throws Exception {
    HttpResponse<String> answer = server.send("PUT", "/routes", BodyPublishers.ofString(table));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  /**
   * A service that gives a fifth of its requests to the next version, and copies all to a shadow.
   */
  private static void putThree() throws Exception {
    put(
        """
        services:
          - name: a
            endpoints: ["%s", "127.0.0.1:1"]
            split: "a-next:20%%"
            mirror: "a-shadow:100%%"
            health: {path: /, interval: 1s}
          - {name: a-next, endpoints: ["%s"]}
          - {name: a-shadow, endpoints: ["%s"]}
        """
            .formatted(address(good), address(good), address(bad)));
  }

  private static void send(String service, int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), router)) {
        socket
            .getOutputStream()
            .write(
                ("GET / HTTP/1.1\r\nHost: "
                        + service
                        + ".service.orrery.localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        socket.getInputStream().readAllBytes();
      }
    }
  }

  private static Visit visit(String query) {
    return new Visit(chromium, server.url()).to("/routes" + query);
  }

  private static JsonNode service(int place) throws Exception {
    return server.get("/routes").at("/services/" + place);
  }

  private static void awaitSplit(String split) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> service(0).path("split").asText(), split::equals);
  }

  @Test
  void anEmptyTableSaysHowToFillItAndATableThatIsPutAppears() throws Exception {
    put("services: []");
    try (Visit visit = visit("")) {
      assertThat(visit.at(".state")).containsText("The router has no services yet");
      putThree();
      assertThat(visit.at(".service")).hasCount(3);
      assertThat(visit.at(".service").first()).containsText("a-next 20 %");
    }
  }

  /** G5. */
  @Test
  void onATelephoneTheExampleOfAnEmptyTableScrollsByItselfAndReadsFromTheLeft() throws Exception {
    put("services: []");
    var narrow = new Browser.NewContextOptions().setViewportSize(390, 844);
    try (Visit visit = new Visit(chromium, server.url(), narrow).to("/routes")) {
      assertThat(visit.at("pre.document")).hasCSS("text-align", "left");
      assertThat(visit.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
      putThree();
      assertThat(visit.at(".service")).hasCount(3);
      assertThat(visit.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    }
  }

  @Test
  void ratesErrorsTimesEndpointsAndShadowsAreFollowedLive() throws Exception {
    putThree();
    try (Visit visit = visit("?service=a.service.orrery.localhost")) {
      Locator a = visit.at(".service").first();
      assertThat(a.locator("service-chart canvas").first()).isVisible();
      assertThat(a.locator(".rate")).containsText("0/s");
      visit
          .page()
          .waitForCondition(() -> {
            try {
              send("a", 20);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return !a.locator(".rate").textContent().strip().startsWith("0/s")
                && a.locator("service-detail").textContent().contains("100 %");
          });
      assertThat(a.locator("[data-label=p50]")).containsText("ms");
      assertThat(a.locator("[data-label='5xx']")).hasText("0 %");
      Locator shadow = a.locator("section:has(h3:text-is('Shadows')) tbody tr");
      assertThat(shadow).containsText("a-shadow");
      assertThat(shadow).containsText("100 %");
      assertThat(a.locator(".well")).containsText("1 of 2 well");
      visit.button("In trouble").click();
      assertThat(visit.at(".service")).hasCount(1);
      assertThat(visit.at(".service .name")).hasText("a");
    }
  }

  @Test
  void aBorderIsDraggedAndMovedByKeysAndTheTableFollows() throws Exception {
    putThree();
    try (Visit visit = visit("")) {
      Locator grip = visit.at(".service").first().locator(".grip");
      BoundingBox bar = visit.at(".service").first().locator(".bar").boundingBox();
      BoundingBox handle = grip.boundingBox();
      double y = handle.y + handle.height / 2;
      visit.page().mouse().move(handle.x + handle.width / 2, y);
      visit.page().mouse().down();
      visit.page().mouse().move(bar.x + bar.width * 0.7, y);
      visit.page().mouse().move(bar.x + bar.width * 0.5, y);
      assertThat(visit.at(".bar.draft")).hasCount(1);
      assertThat(service(0).path("split").asText()).isEqualTo("a-next:20%");
      visit.page().mouse().up();
      awaitSplit("a-next:50%");
      assertThat(grip).hasAttribute("aria-valuetext", "a-next gets 50 %");

      grip.focus();
      visit.page().keyboard().press("ArrowRight");
      visit.page().keyboard().press("Shift+ArrowRight");
      awaitSplit("a-next:39%");
      visit.page().keyboard().press("ArrowLeft");
      visit.page().keyboard().press("Escape");
      assertThat(grip).hasAttribute("aria-valuetext", "a-next gets 39 %");
      assertThat(service(0).path("mirror").asText()).isEqualTo("a-shadow:100%");
    }
  }

  @Test
  void sharesAreGivenTypedAndTakenAndARefusalStandsAtItsService() throws Exception {
    putThree();
    try (Visit visit = visit("?service=a.service.orrery.localhost")) {
      Locator share = visit.page().getByLabel("Share of a-next");
      share.fill("12.5");
      share.press("Enter");
      awaitSplit("a-next:12.5%");
      share.fill("150");
      share.press("Enter");
      assertThat(visit.at(".service").first().locator(".fault")).containsText("100");
      assertThat(service(0).path("split").asText()).isEqualTo("a-next:12.5%");
      visit.at("select[aria-label='Give a share to']").selectOption("a-shadow");
      awaitSplit("a-next:12.5%,a-shadow:0%");
      assertThat(visit.at(".service").first().locator(".fault")).hasCount(0);
      visit.button("Give a-next nothing any more").click();
      awaitSplit("a-shadow:0%");
    }
  }

  @Test
  void aTableThatWasReplacedMeanwhileIsNotOverwritten() throws Exception {
    putThree();
    String tag =
        server
            .send("GET", "/routes", BodyPublishers.noBody())
            .headers()
            .firstValue("ETag")
            .orElseThrow();
    put("services: [{name: other}]");
    HttpRequest late =
        HttpRequest.newBuilder(server.url().resolve("/api/v1/routes"))
            .header("If-Match", tag)
            .PUT(BodyPublishers.ofString("services: []"))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(client.send(late, BodyHandlers.discarding()).statusCode()).isEqualTo(409);
    }
    assertThat(service(0).path("name").asText()).isEqualTo("other");
  }

  @Test
  void twoHundredServicesAreFoundAndFitTheNarrowestScreenInTheDark() throws Exception {
    put(
        IntStream.range(0, 200)
            .mapToObj(i -> "  - {name: model-" + i + ", endpoints: [\"" + address(good) + "\"]}")
            .collect(Collectors.joining("\n", "services:\n", "\n")));
    Browser.NewContextOptions narrow =
        new Browser.NewContextOptions().setViewportSize(400, 800).setColorScheme(ColorScheme.DARK);
    try (Visit visit = new Visit(chromium, server.url(), narrow).to("/routes")) {
      assertThat(visit.at(".service")).hasCount(200);
      visit.at("input[type=search]").fill("model-19");
      assertThat(visit.at(".service")).hasCount(11);
      visit.at(".service .name").first().click();
      assertThat(visit.at("service-detail")).isVisible();
      assertThat(visit.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(400);
    }
  }
}
