package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.orrery.cli.completion.SchemaCommand;
import io.orrery.core.json.Json;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the page from nothing to an experiment that runs. */
@Timeout(120)
class NewExperimentIT extends InShop {
  @Test
  void aPastedConfigurationShowsItsFaultsInPlaceAndStartsOnceTheyAreFixed() {
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

  /** G6. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void optionsOfAlgorithmsKeysOfThePlatformAndFurtherSettingsAreFields() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      visit.at("select[name=tuner]").selectOption("TPE");
      Locator options = visit.at("[data-settings='Options of TPE']");
      options.locator("summary").first().click();
      options.locator("[data-option=seed]").fill("7");
      options.locator("[data-option=seed]").blur();
      assertThat(visit.at(".document.beside")).containsText("classArgs:\n    seed: 7");
      options.locator(".group summary").click();
      options.locator("[data-option=n_startup_jobs]").fill("-3");
      options.locator("[data-option=n_startup_jobs]").blur();
      assertThat(options.locator(".field:has([data-option=n_startup_jobs]) .fault")).isVisible();
      options.locator("[data-option=n_startup_jobs]").fill("");
      options.locator("[data-option=n_startup_jobs]").blur();
      assertThat(visit.at(".document.beside")).not().containsText("tpe_args");

      visit.at("select[name=platform]").selectOption("remote");
      Locator machines = visit.at("[data-list=machineList]");
      assertThat(machines.locator(".fault")).isVisible();
      machines.locator("p button").click();
      machines.locator("[data-option=host]").fill("gpu1.example");
      machines.locator("[data-option=host]").blur();
      machines.locator("[data-option=user]").fill("me");
      machines.locator("[data-option=user]").blur();
      machines.locator("[data-option=port]").fill("many");
      machines.locator("[data-option=port]").blur();
      assertThat(machines.locator(".field:has([data-option=port]) .fault")).isVisible();
      machines.locator("[data-option=port]").fill("2222");
      machines.locator("[data-option=port]").blur();
      assertThat(machines.locator(".field:has([data-option=port]) .fault")).hasCount(0);
      assertThat(visit.at(".document.beside"))
          .containsText("machineList:\n    - host: gpu1.example\n      user: me\n      port: 2222");

      Locator more = visit.at("[data-settings='More settings']");
      more.locator("summary").first().click();
      more.locator("[data-option=multiPhase]").selectOption("true");
      more.locator("[data-option=quota]").fill("3");
      more.locator("[data-option=quota]").blur();
      assertThat(visit.at(".document.beside")).containsText("multiPhase: true");
      assertThat(visit.at(".document.beside")).containsText("quota: 3");
    }
  }

  /** G6. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void severalPlatformsAreFilledInAndShareTheTrials() throws Exception {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      visit.at("input[name=experimentName]").fill("shared");
      visit.at("input[name=trialCommand]").fill("bash trial.sh");
      visit.at("input[name=trialCodeDirectory]").fill(shop.code().toString());
      visit.at("input[name=maxTrialNumber]").fill("4");
      visit.at("input[name=trialConcurrency]").fill("2");
      visit.at("select[name=platform]").selectOption("hybrid");
      Locator services = visit.at("[data-list=services]");
      assertThat(services.locator(".element")).hasCount(1);
      services.locator("> p button").click();
      assertThat(visit.at(".verdict .pill")).hasText("1 problem");
      for (int n = 0; n < 2; n++) {
        Locator one = services.locator("> .element").nth(n);
        one.locator("[data-option=name]").fill("place" + n);
        one.locator("[data-option=name]").blur();
        one.locator("[data-option=capacity]").fill(n == 0 ? "none" : "1");
        one.locator("[data-option=capacity]").blur();
      }
      Locator first = services.locator("> .element").first();
      assertThat(first.locator(".field:has([data-option=capacity]) .fault")).isVisible();
      first.locator("[data-option=capacity]").fill("1");
      first.locator("[data-option=capacity]").blur();
      services.locator("> p button").click();
      Locator third = services.locator("> .element").nth(2);
      third.locator("[data-option=platform]").selectOption("remote");
      assertThat(third.locator("[data-list=machineList]")).isVisible();
      visit.button("Remove platform 3").click();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(visit.at(".document.beside"))
          .containsText("trainingService:\n  - platform: local\n    name: place0\n    capacity: 1");
      visit.button("Start").click();
      assertThat(visit.at(".page-head .pill"))
          .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(30_000));
    }
    JsonNode created = shop.server().get("/experiments").at("/items/0");
    assertThat(created.at("/platform").textValue()).isEqualTo("hybrid");
  }

  /** G6. */
  @Test
  void theFormHasEveryKeyThatAnExperimentFileHas() throws Exception {
    JsonNode schema;
    try (InputStream in = SchemaCommand.class.getResourceAsStream("experiment.schema.json")) {
      schema = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Set<String> keys = new TreeSet<>();
    schema.get("properties").fieldNames().forEachRemaining(keys::add);
    // Have no effect, are for another kind of file, or are NNI's other word for tuner.
    keys.removeAll(
        Set.of(
            "experimentType",
            "searchSpaceFile",
            "useAnnotation",
            "debug",
            "logLevel",
            "experimentWorkingDirectory",
            "tunerGpuIndices",
            "advisor"));
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      Pure settings = visit.pure("experiments/further-settings.js");
      List<?> further = (List<?>) settings.value("FURTHER_SETTINGS.map(it => it.name)");
      assertThat(visit.at("config-form")).isVisible();
      Set<String> shown = new TreeSet<>();
      further.forEach(name -> shown.add(name.toString()));
      for (String key : keys) {
        if (visit.at("config-form [name='" + key + "']").count() > 0) {
          shown.add(key);
        }
      }
      // The platform, the objectives and the search space have parts of their own; the project is
      // chosen in the head of the page.
      shown.addAll(Set.of("trainingService", "objectives", "searchSpace", "project"));
      assertThat(shown).containsExactlyInAnyOrderElementsOf(keys);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
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
