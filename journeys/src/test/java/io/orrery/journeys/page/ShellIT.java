package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what is around every page: theme, keyboard, the way in, and what happens when the server
 * goes.
 */
@Timeout(120)
class ShellIT {
  @TempDir static Path temp;
  private static Chromium chromium;
  private static ServerProcess server;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static final String GROUND = "getComputedStyle(document.documentElement).backgroundColor";

  @Test
  void theThemeFollowsTheSystemUntilOneIsChosenAndIsRemembered() {
    Browser.NewContextOptions dark =
        new Browser.NewContextOptions().setColorScheme(ColorScheme.DARK);
    try (Visit visit = new Visit(chromium, server.url(), dark).to("/")) {
      assertThat(visit.at(".state")).containsText("No experiments yet");
      Object night = visit.page().evaluate(GROUND);
      visit.button("light theme").click();
      Object day = visit.page().evaluate(GROUND);
      assertThat(day).isNotEqualTo(night);
      visit.page().reload();
      assertThat(visit.button("light theme")).hasAttribute("aria-pressed", "true");
      assertThat(visit.page().evaluate(GROUND)).isEqualTo(day);
      visit.page().keyboard().press("t");
      assertThat(visit.page().evaluate(GROUND)).isEqualTo(night);
    }
  }

  @Test
  void theKeyboardReachesEveryPageAndShowsWhatItCan() {
    try (Visit visit = new Visit(chromium, server.url()).to("/")) {
      assertThat(visit.at(".state")).containsText("No experiments yet");
      visit.page().keyboard().press("?");
      assertThat(visit.at("dialog[open]")).containsText("Keyboard shortcuts");
      assertThat(visit.at("dialog[open]")).containsText("New experiment");
      visit.page().keyboard().press("Escape");
      assertThat(visit.at("dialog[open]")).hasCount(0);
      visit.page().keyboard().press("g");
      visit.page().keyboard().press("n");
      assertThat(visit.at("h1")).hasText("New experiment");
      visit.page().keyboard().press("Escape");
      assertThat(visit.at("h1")).hasText("Experiments");
      visit.page().keyboard().press("Tab");
      assertThat(visit.link("New experiment").first()).isFocused();
    }
  }

  @Test
  void anAddressNamesThePageThatItsFeatureAdded() {
    try (Visit visit = new Visit(chromium, server.url()).to("/")) {
      assertThat(visit.at(".state")).containsText("No experiments yet");
      Pure pages = new Pure(visit.page(), "shell/pages.js");
      pages.gives("pageAt([]).name", "list");
      pages.gives("pageAt(['services']).name", "services");
      pages.gives("pageAt(['services', 'a', 'log']).name", "service");
      pages.gives(
          "[['list'], ['service'], ['services', 'a', 'log', 'b'], ['toString']].some(pageAt)",
          false);
      pages.gives("Object.keys(modules).filter(name => !pageOf(name)).join()", "");
      pages.gives(
          "allPages().filter(page => !(page.name in modules)).map(page => page.name).join()",
          "list");
      pages.gives(
          "allPages().filter(page => page.under && !pageOf(page.under).navigation).join()", "");
      pages.gives(
          "allPages().map(page => page.navigation).filter(Boolean).join()",
          "Overview,Experiments,Pipelines,Notebooks,Images,Models,Services,Log,Help");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void helpLeadsToTheDocumentation() {
    try (Visit visit = new Visit(chromium, server.url()).to("/about")) {
      assertThat(visit.link("Reference")).hasAttribute("href", "docs");
      assertThat(visit.link("openapi.yaml")).hasAttribute("href", "openapi.yaml");
      visit.to("/nowhere/at/all");
      assertThat(visit.at("h1")).hasText("There is no such page");
    }
  }

  @Test
  void aServerThatAsksForATokenGetsItAndThePageGoesOn() {
    AtomicBoolean known = new AtomicBoolean();
    try (Visit visit = new Visit(chromium, server.url())) {
      visit
          .page()
          .route(
              Pattern.compile(".*/api/v1/.*"),
              route -> {
                if (route.request().url().endsWith("/session")
                    && route.request().method().equals("GET")) {
                  route.fulfill(
                      new Route.FulfillOptions()
                          .setContentType("application/json")
                          .setBody("{\"required\": true, \"users\": false}"));
                } else if (route.request().url().endsWith("/session")) {
                  boolean right = route.request().postData().contains("let me in");
                  known.set(right);
                  answer(route, right ? 200 : 401);
                } else if (known.get()) {
                  route.resume();
                } else {
                  answer(route, 401);
                }
              });
      visit.to("/");
      visit.page().getByLabel("Token").fill("who knows");
      visit.button("Sign in").click();
      assertThat(visit.at("[role=alert]")).containsText("does not know that token");
      visit.page().getByLabel("Token").fill("let me in");
      visit.button("Sign in").click();
      assertThat(visit.at(".state")).containsText("No experiments yet");
    }
  }

  private static void answer(Route route, int status) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(status)
            .setContentType("application/json")
            .setBody("{\"status\": " + status + "}"));
  }

  @Test
  void aServerThatGoesIsMissedQuietlyAndFoundAgain() throws Exception {
    Path home = temp.resolve("another").toAbsolutePath();
    ServerProcess first = ServerProcess.start(home);
    try (Visit visit = new Visit(chromium, first.url()).to("/")) {
      assertThat(visit.at(".state")).containsText("No experiments yet");
      int port = first.url().getPort();
      first.close();
      assertThat(visit.at(".banner")).containsText("The server does not answer");
      assertThat(visit.at(".state")).containsText("No experiments yet");
      // Now, while no server answers: once it is back, the page may find it first.
      visit.button("Try now").click();
      assertThat(visit.at(".banner")).containsText("The server does not answer");
      try (ServerProcess second = ServerProcess.begin(home, port).ready()) {
        assertThat(second.url()).isEqualTo(first.url());
        assertThat(visit.at(".banner")).hasCount(0);
      }
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theNarrowestScreenNeedsNoSidewaysScrolling() {
    Browser.NewContextOptions narrow = new Browser.NewContextOptions().setViewportSize(400, 800);
    try (Visit visit = new Visit(chromium, server.url(), narrow)) {
      for (String address : new String[] {"/", "/new", "/about"}) {
        visit.to(address);
        assertThat(visit.at("h1")).isVisible();
        assertThat(visit.page().evaluate("document.documentElement.scrollWidth"))
            .as(address)
            .isEqualTo(400);
      }
    }
  }
}
