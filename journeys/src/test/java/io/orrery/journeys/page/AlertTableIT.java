package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads on the pages of a run and of a schedule what became of alerts. */
@Timeout(180)
class AlertTableIT extends OwnServer {
  private static final String RECEIVER = "http://127.0.0.1:9/hook key";

  private static Locator rows(Visit visit) {
    return visit.at("table[aria-label=Alerts] tbody tr");
  }

  @Test
  void aRunSaysOfEachReceiverWhatItAnsweredAndWhenItIsAskedAgain() throws Exception {
    put("/projects/public/secrets/hook", "{\"value\": \"" + RECEIVER + "\"}");
    put(
        "/pipelines/told",
        """
        {"tasks": [{"name": "a", "command": "exit 3"}],
         "alerts": {"webhook": "secret:hook", "mail": ["ann@example.com"]}}
        """);
    String run = server.post("/pipelines/told/run", "{}").get("id").textValue();
    try (Visit visit = visit("/runs/" + run)) {
      assertThat(rows(visit)).hasCount(2);
      Locator webhook = rows(visit).filter(new Locator.FilterOptions().setHasText("webhook"));
      assertThat(webhook).containsText("alerts.networks");
      assertThat(webhook).containsText("waiting");
      assertThat(webhook.locator(".pill")).hasText("Failed");
      assertThat(webhook.locator("td[data-label=Next]")).not().hasText("");
      Locator mail = rows(visit).filter(new Locator.FilterOptions().setHasText("ann@example.com"));
      assertThat(mail).containsText("the mail server took no connection");
      assertThat(visit.at("body")).not().containsText("127.0.0.1:9");
    }
  }

  @Test
  void aScheduleSaysWhichOfItsDueRunsWereTold() throws Exception {
    put(
        "/pipelines/late",
        """
        {"tasks": [{"name": "a", "command": "sleep 300"}],
         "schedule": {"cron": "* * * * * *", "maxActiveRuns": 1},
         "alerts": {"on": ["LATE"], "late": "1s", "mail": ["ann@example.com"]}}
        """);
    try (Visit visit = visit("/pipelines/late/schedule")) {
      assertThat(rows(visit).first().locator(".pill"))
          .hasText("Late", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
      assertThat(rows(visit).first()).containsText("ann@example.com");
    }
    send("DELETE", "/pipelines/late/schedule", "");
  }
}
