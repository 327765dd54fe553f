package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import io.orrery.journeys.ServerProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the page and the command line tell what a search knows beyond its best result. */
@Timeout(180)
class SearchKnowledgeIT extends OwnServer {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static String create(String rate, String more) throws Exception {
    return server
        .post(
            "/experiments",
            """
            trialConcurrency: 1
            maxTrialNumber: 30
            seed: 3
            searchSpace:
              x: {_type: uniform, _value: [0, 1]}
              RATE: {_type: loguniform, _value: [0.00001, 1]}
            tuner: {name: Auto, classArgs: {optimize_mode: minimize, repeats: true}}
            trainingService:
              platform: simulated
              objective: (x - 0.3) ** 2 + (log(RATE) + 7) ** 2 / 20
              noise: 0.3
              duration: 10m
              speed: 100000
            """
                    .replace("RATE", rate)
                + more)
        .path("id")
        .textValue();
  }

  @Test
  void theLikelyBestAndWhatWasLearntAreShown() throws Exception {
    String earlier = create("learning_rate", "");
    server.awaitStatus(earlier, PATIENCE, "DONE");
    String id =
        create("lr", "transfer: [{id: %s, rename: {learning_rate: lr}}]\n".formatted(earlier));
    server.awaitStatus(id, PATIENCE, "DONE");

    try (Visit visit = visit("/experiments/" + id)) {
      Locator likely = visit.at("section[aria-label='Likely best']");
      assertThat(likely).containsText("on average of");
      assertThat(likely).containsText("lr 0.");
      Locator learnt = visit.at("section[aria-label='Learnt from earlier experiments']");
      assertThat(learnt).containsText("learning_rate is lr here");
      assertThat(learnt).containsText("30 of 30");
      likely.locator("button").first().click();
      JsonNode incumbent = server.get("/experiments/" + id).path("incumbent");
      visit.page().waitForURL(url -> url.contains("trial="));
      assertThat(incumbent.path("trials").size()).isPositive();
      learnt.locator("a").click();
      assertThat(visit.at("h1")).hasText(earlier);
      assertThat(visit.at("section[aria-label^=Learnt]")).hasCount(0);
    }

    ProcessBuilder show = new ProcessBuilder(ServerProcess.command("experiment", "show", id));
    show.environment().put("ORRERY_HOME", home.resolve("home").toAbsolutePath().toString());
    Process shown = show.start();
    assertThat(new String(shown.getInputStream().readAllBytes(), UTF_8))
        .containsPattern("likely best +\\S+ on average of [0-9]+ trials? with ")
        .containsPattern(
            "learnt from +" + earlier + ": 30 trials, weight [0-9]+ %, learning_rate as lr");
    assertThat(shown.waitFor()).isZero();
  }
}
