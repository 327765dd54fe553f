package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of what the checks of the server have found. */
@Timeout(120)
class StatusPageIT {
  @TempDir static Path temp;
  private static Chromium chromium;
  private static ServerProcess server;

  @BeforeAll
  static void open() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        "clusters: {box: {runtime: container, socket: 'unix:///nowhere/podman.sock'}}\n");
    chromium = Chromium.launch();
    server = ServerProcess.start(home);
  }

  @AfterAll
  static void close() {
    if (server != null) {
      server.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  @Test
  void theWorstIsFirstWithWhatHelps() {
    try (Visit visit = new Visit(chromium, server.url())) {
      visit.to("/status");

      Locator first = visit.at("table[aria-label=Checks] tbody tr").first();
      assertThat(first).containsText("cluster box");
      assertThat(first).containsText("/nowhere/podman.sock cannot be reached");
      assertThat(first.locator(".hint")).containsText("podman.socket");
      assertThat(visit.at("tr[data-check=database]")).containsText("SQLite answers");
      assertThat(visit.at("tr[data-check=clock] .pill")).hasText("OK");
      assertThat(visit.at("tr[data-check=servers]")).containsText("this server works alone");
      assertThat(visit.at("tr[data-check=routers] .pill")).hasText("OK");
      assertThat(visit.at("tr[data-check=registries]")).hasCount(0);
      assertThat(visit.at("table[aria-label=Servers] tbody tr")).containsText("this one");
      assertThat(visit.at("table[aria-label=Storage] tbody tr")).hasCount(1);
      assertThat(visit.at("table[aria-label='Removal of old objects'] tbody tr")).hasCount(8);
      assertThat(visit.at("status-page")).containsText("there are no accounts");
      assertThat(visit.at(".page-head .pill")).hasText("Failed");
    }
  }

  @Test
  void aNarrowDarkPageHasNothingBesideIt() {
    var options =
        new Browser.NewContextOptions().setViewportSize(390, 800).setColorScheme(ColorScheme.DARK);
    try (Visit visit = new Visit(chromium, server.url(), options)) {
      visit.to("/status");
      assertThat(visit.at("tr[data-check=database]")).isVisible();

      Object beside =
          visit
              .page()
              .evaluate(
                  "document.documentElement.scrollWidth - document.documentElement.clientWidth");

      assertThat(beside).isEqualTo(0);
    }
  }

  @Test
  void peopleWhoSeeOneWordAreToldWhyAndAFailureKeepsWhatWasKnown() {
    try (Visit visit = new Visit(chromium, server.url())) {
      answer(
          visit,
          new Route.FulfillOptions()
              .setContentType("application/json")
              .setBody("{\"status\":\"warning\",\"at\":\"2026-03-01T00:00:00.000Z\"}"));
      visit.to("/status");
      assertThat(visit.at("status-page")).containsText("for administrators of the server");
      assertThat(visit.at(".page-head .pill")).hasText("Warning");

      visit.page().unroute("**/api/v1/status");
      answer(
          visit,
          new Route.FulfillOptions()
              .setStatus(503)
              .setContentType("application/problem+json")
              .setBody(
                  "{\"type\":\"about:blank\",\"title\":\"busy\",\"status\":503,\"detail\":\"it is busy\"}"));
      visit.button("Check again").click();
      assertThat(visit.at("status-page")).containsText("Last known at");
    }
  }

  private static void answer(Visit visit, Route.FulfillOptions answer) {
    visit.page().route("**/api/v1/status", route -> route.fulfill(answer));
  }
}
