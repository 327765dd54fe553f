package io.orrery.gateway.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From nothing to an experiment that runs. */
@Timeout(120)
class NewExperimentIT extends InShop {
  @Test
  void aPastedConfigurationShowsItsFaultsWhereTheyStandAndStartsOnceTheyAreMended() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      visit.button("Configuration").click();
      String wrong =
          shop.config("pasted", "1, 2", "quick").replace("trialConcurrency", "trialConcurency");
      visit.at("textarea").fill(wrong);

      assertThat(visit.at(".editor .marks .wrong em"))
          .containsText("did you mean 'trialConcurrency'");
      assertThat(visit.at(".editor .gutter .wrong")).hasText("4");
      assertThat(visit.at(".findings li")).hasCount(1);
      assertThat(visit.button("Start")).isDisabled();
      visit.at(".findings button").click();
      assertThat(visit.at("textarea")).isFocused();

      visit.at("textarea").fill(wrong.replace("trialConcurency", "trialConcurrency"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Start").click();
      assertThat(visit.at("h1")).hasText("pasted");
      assertThat(visit.at(".page-head .pill")).hasText("Done");
      assertThat(visit.at(".figure .value").first()).containsText("2");
    }
  }

  @Test
  void aFormBecomesAConfigurationAndSaysWhatIsWrongAtTheField() throws Exception {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      visit.at("input[name=experimentName]").fill("from the form");
      visit.at("input[name=trialCommand]").fill("bash trial.sh");
      visit.at("input[name=trialCodeDirectory]").fill("relative");
      assertThat(visit.at(".field:has(input[name=trialCodeDirectory]) .fault"))
          .containsText("absolute");
      visit.at("input[name=trialCodeDirectory]").fill(shop.code().toString());
      visit.at("input[name=maxTrialNumber]").fill("2");
      visit.at("select[name=tuner]").selectOption("Random");
      visit.at(".space-row input[aria-label=Name]").fill("x");
      visit.at(".space-row input[aria-label=Values]").fill("1, 2");
      visit.at(".space-row input[aria-label=Values]").blur();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");

      visit.button("Configuration").click();
      assertThat(visit.at("textarea"))
          .hasValue(Pattern.compile("x: \\{_type: loguniform, _value: \\[1, 2\\]\\}"));
      visit.button("Form").click();
      visit.button("Start").click();
      assertThat(visit.at(".page-head .pill"))
          .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(30_000));
    }
    JsonNode created = shop.server().get("/experiments").at("/items/0");
    assertThat(created.at("/name").textValue()).isEqualTo("from the form");
    assertThat(created.at("/tuner").textValue()).isEqualTo("Random");
  }

  /** G6. */
  @Test
  void theFormHasAlgorithmsPlatformGpusObjectivesAndConstraintsAndTheTextBesideIt()
      throws Exception {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      assertThat(visit.at("select[name=tuner]")).hasValue("Auto");
      visit.at("input[name=experimentName]").fill("the whole form");
      visit.at("input[name=trialCommand]").fill("bash trial.sh");
      visit.at("input[name=trialCodeDirectory]").fill(shop.code().toString());
      visit.at("input[name=maxTrialNumber]").fill("2");
      visit.at("input[name=trialGpuNumber]").fill("0");
      visit.at("select[name=platform]").selectOption("local");
      visit.at("select[name=assessor]").selectOption("Medianstop");
      visit.at("select[aria-label=Goal]").selectOption("minimize");
      visit.at(".space-row input[aria-label=Name]").fill("x");
      visit.at(".space-row input[aria-label=Values]").fill("1, 8");
      visit.at(".space-row input[aria-label=Values]").blur();
      visit.at("textarea[name=constraints]").fill("x <=");
      visit.at("textarea[name=constraints]").blur();
      assertThat(visit.at("fieldset:has(textarea[name=constraints]) .fault")).isVisible();
      visit.at("textarea[name=constraints]").fill("x <= 4");
      visit.at("textarea[name=constraints]").blur();
      assertThat(visit.at(".document.beside")).containsText("x <= 4");
      assertThat(visit.at(".document.beside")).containsText("goal: minimize");
      assertThat(visit.at(".document.beside")).containsText("trialGpuNumber: 0");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Start").click();
      assertThat(visit.at(".experiment-head h1")).hasText("the whole form");
    }
    JsonNode created = shop.server().get("/experiments").at("/items/0");
    assertThat(created.at("/optimizeMode").textValue()).isEqualTo("minimize");
    assertThat(created.at("/assessor").textValue()).isEqualTo("Medianstop");
  }

  @Test
  void anotherOneLikeThisBeginsWithItsConfiguration() throws Exception {
    String id = shop.finished("original", "1", "quick");
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/experiments/" + id)) {
      visit.at("summary[title='More actions']").click();
      visit.link("New one like this").click();
      assertThat(visit.at("input[name=experimentName]")).hasValue("original");
      visit.at("input[name=experimentName]").fill("copy");
      visit.button("Start").click();
      assertThat(visit.at(".experiment-head h1")).hasText("copy");
    }
  }
}
