package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page, with tokens, behind proxies as people have them (G8). */
@Timeout(180)
class BehindProxyIT {
  private static final BearerToken TOKEN = new BearerToken("a token that could be guessed");

  @TempDir static Path temp;
  private static Chromium chromium;
  private static ServerProcess server;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    Files.writeString(
        temp.resolve("trial.sh"),
        """
        for i in 1 2 3; do echo "orrery: intermediate 0.$i"; done
        while [ ! -e gate-$ORRERY_PARAM_X ]; do sleep 0.05; done
        echo "orrery: final $ORRERY_PARAM_X"
        """);
    server =
        ServerProcess.begin(
                temp.resolve("home").toAbsolutePath(),
                List.of("--port", "0", "--router-port", "off"),
                Map.of(
                    "ORRERY_AUTH_TOKENS",
                    "[{name: me, role: admin, sha256: " + TOKEN.sha256() + "}]",
                    "ORRERY_HTTP_BASE_PATH",
                    "/tune",
                    "ORRERY_HTTP_TRUSTED_PROXIES",
                    "127.0.0.1"))
            .ready();
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

  /** Begins an experiment of one trial that waits until its gate is opened. */
  private static String begin(String name, int x) throws Exception {
    String config =
        """
        experimentName: %s
        trialCommand: bash trial.sh
        trialCodeDirectory: %s
        trialConcurrency: 1
        searchSpace: {x: {_type: choice, _value: [%d]}}
        tuner: {name: GridSearch}
        trainingService: {platform: local}
        """
            .formatted(name, temp.toAbsolutePath(), x);
    HttpRequest request =
        HttpRequest.newBuilder(server.url().resolve("/api/v1/experiments"))
            .header("Authorization", "Bearer " + TOKEN.text())
            .POST(BodyPublishers.ofString(config))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return Json.parse(client.send(request, BodyHandlers.ofString()).body()).get("id").textValue();
    }
  }

  /** Logs in, watches an experiment to its end, looks at the other pages, and logs out. */
  private static void use(URI address, int x) throws Exception {
    String id = begin("behind a proxy " + x, x);
    try (Visit visit = new Visit(chromium, address)) {
      visit.page().navigate(address + "/");
      assertThat(visit.page().url()).isEqualTo(address + "/login");
      visit.page().getByLabel("Token").fill(TOKEN.text());
      visit.button("Sign in").click();
      visit.at("tr[data-id=" + id + "] a").first().click();
      assertThat(visit.at("h1")).hasText("behind a proxy " + x);
      assertThat(visit.page().url()).startsWith(address + "/#/experiments/" + id);
      assertThat(visit.page().context().cookies(address + "/"))
          .extracting(cookie -> cookie.path)
          .containsExactly(address.getPath() + "/");

      visit.to("/experiments/" + id + "/curves");
      assertThat(visit.at("curves-chart canvas").first()).isVisible();
      Files.writeString(temp.resolve("gate-" + x), "");
      assertThat(visit.at(".pill").first()).hasText("Done");
      visit.to("/experiments/" + id);
      assertThat(visit.at("history-chart canvas").first()).isVisible();

      visit.to("/about");
      visit.link("Reference").click();
      assertThat(visit.at(".reference h1")).isVisible();
      assertThat(visit.page().url()).isEqualTo(address + "/docs");
      visit.to("/about");
      visit.button("Sign out").click();
      assertThat(visit.page().getByLabel("Token")).isVisible();
      List<Cookie> left = visit.page().context().cookies(address + "/");
      assertThat(left).isEmpty();
    }
  }

  @Test
  void nginxMayKeepTheBasePath() throws Exception {
    try (FrontProxy proxy =
        FrontProxy.nginxThatKeeps("/tune", server.url().getPort(), temp.resolve("keeps"))) {
      use(proxy.url(), 1);
    }
  }

  @Test
  void nginxMayTakeItsOwnPathAwayAndSaySo() throws Exception {
    try (FrontProxy proxy =
        FrontProxy.nginxThatTakesAway(
            "/team/models", server.url().getPort(), temp.resolve("takes"))) {
      use(proxy.url(), 2);
    }
  }

  @Test
  void soMayHaproxy() throws Exception {
    try (FrontProxy proxy =
        FrontProxy.haproxyThatTakesAway("/lab", server.url().getPort(), temp.resolve("haproxy"))) {
      use(proxy.url(), 3);
    }
  }
}
