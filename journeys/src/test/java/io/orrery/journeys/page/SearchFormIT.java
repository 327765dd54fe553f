package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import io.orrery.cli.Orrery;
import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The form of an experiment: its search space, what takes it, and the simulation before the start.
 */
@Timeout(300)
class SearchFormIT extends InShop {
  /** Type and values as they are typed, one parameter of a space each. */
  private static final List<List<List<String>>> SPACES =
      List.of(
          List.of(List.of("uniform", "0, 1")),
          List.of(List.of("uniform", "-5, 5"), List.of("uniform", "0.5, 1.5")),
          List.of(List.of("loguniform", "0.0001, 0.1")),
          List.of(List.of("loguniform", "1e-6, 1"), List.of("choice", "adam, sgd, rmsprop")),
          List.of(List.of("randint", "1, 10")),
          List.of(List.of("randint", "0, 2"), List.of("randint", "-3, 3")),
          List.of(List.of("quniform", "0, 100, 5")),
          List.of(List.of("quniform", "0.1, 0.9, 0.1"), List.of("choice", "16, 32, 64")),
          List.of(List.of("qloguniform", "1, 1024, 1")),
          List.of(List.of("normal", "0, 1")),
          List.of(List.of("qnormal", "10, 3, 1")),
          List.of(List.of("lognormal", "0, 1")),
          List.of(List.of("qlognormal", "0, 1, 0.5")),
          List.of(List.of("choice", "true, false")),
          List.of(List.of("choice", "1, 2.5, text")),
          List.of(List.of("choice", "[1, 2], [3, 4]")),
          List.of(List.of("choice", "\"a, b\", c")),
          List.of(
              List.of(
                  "choice",
                  "{\"_name\": \"svm\", \"c\": {\"_type\": \"loguniform\", \"_value\": [0.1, 10]}}, {\"_name\": \"tree\", \"depth\": {\"_type\": \"randint\", \"_value\": [1, 9]}}")),
          List.of(
              List.of("uniform", "0, 1"),
              List.of("loguniform", "0.001, 1"),
              List.of("randint", "1, 8"),
              List.of("choice", "relu, tanh"),
              List.of("quniform", "0, 1, 0.25")),
          List.of(List.of("uniform", "1e-10, 2e-10"), List.of("choice", "only")));

  /** Lets `orrery experiment create` have a file, and answers with the id. */
  private static String created(String text) throws Exception {
    Path file = Files.writeString(temp.resolve("space.yml"), text);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("ORRERY_HOME", shop.server().home().toString()),
            temp,
            InstantSource.system(),
            false,
            Prompt.NONE);
    int code =
        Orrery.run(
            "orrery",
            new String[] {"experiment", "create", file.toString()},
            options -> 1,
            (followed, kept) -> 1,
            new ServerProgram(List.of("false")),
            terminal,
            () -> new Interrupts(status -> {}));
    assertThat(err.toString(StandardCharsets.UTF_8)).as(text).isEmpty();
    assertThat(code).as(text).isZero();
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  private static void fill(Visit visit, List<List<String>> space) {
    visit.at("input[name=experimentName]").fill("a space");
    visit.at("input[name=trialCommand]").fill("true");
    visit.at("input[name=trialCodeDirectory]").fill(shop.code().toString());
    for (int n = 0; n < space.size(); n++) {
      if (n > 0) {
        visit.button("Parameter").click();
      }
      Locator row = visit.at(".space-row").nth(n);
      row.locator("input[aria-label=Name]").fill("p" + n);
      row.locator("input[aria-label=Name]").blur();
      row.locator("select[aria-label=Type]").selectOption(space.get(n).get(0));
      row.locator("input[aria-label=Values]").fill(space.get(n).get(1));
      row.locator("input[aria-label=Values]").blur();
      assertThat(row.locator(".distribution svg")).isVisible();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void filesOfTwentySpacesAreTakenWithoutAFinding() throws Exception {
    assertThat(SPACES).hasSize(20);
    for (List<List<String>> space : SPACES) {
      try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
        fill(visit, space);
        visit.at("input[name=maxTrialNumber]").fill("1");
        assertThat(visit.at(".verdict .pill")).hasText("Valid");
        String text = visit.at(".document.beside").textContent();
        String id = created(text);
        JsonNode experiment = shop.server().get("/experiments/" + id);
        assertThat(experiment.at("/config/searchSpace").size()).isEqualTo(space.size());
      }
    }
  }

  @Test
  void algorithmsThatDoNotTakeTheSpaceSayWhy() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      fill(visit, List.of(List.of("normal", "0, 1")));
      Locator unfit = visit.at("select[name=tuner] optgroup[label='Do not take it'] option");
      assertThat(unfit.filter(new Locator.FilterOptions().setHasText("Batch")))
          .hasText("Batch: no normal (p0)");
      visit.at("select[name=tuner]").selectOption("Batch");
      assertThat(visit.at(".verdict .findings")).containsText("Batch does not take 'normal'");
      visit.at("select[name=tuner]").selectOption("TPE");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
    }
  }

  @Test
  void aSearchIsSimulatedBeforeItIsStarted() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/new")) {
      fill(visit, List.of(List.of("loguniform", "0.001, 0.1"), List.of("choice", "a, b")));
      visit.at("input[name=parametersAsArguments]").check();
      assertThat(visit.at(".document.beside")).containsText("parametersAsArguments: true");
      visit.at(".simulation summary").click();
      assertThat(visit.at(".simulation textarea"))
          .hasValue("1 - ((log(p0) - (-4.605)) / 4.605) ** 2");
      visit.button("Simulate 5 times").click();
      assertThat(visit.at("[aria-label='Result of the simulation']")).containsText("20, ");
      visit.at(".simulation textarea").fill("p7 + 1");
      visit.button("Simulate 5 times").click();
      assertThat(visit.at(".simulation .fault")).containsText("p7");
    }
  }

  @Test
  void theSharesOfAPictureAreThoseOfTheDistribution() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/about")) {
      Pure distribution = visit.pure("experiments/distribution.js");
      distribution.gives("distributionOf({_type: 'uniform', _value: [0, 4]}).bars.length", 40);
      for (String entry :
          List.of(
              "{_type: 'uniform', _value: [-1, 3]}",
              "{_type: 'loguniform', _value: [0.001, 10]}",
              "{_type: 'randint', _value: [2, 9]}",
              "{_type: 'quniform', _value: [0, 1, 0.25]}",
              "{_type: 'qnormal', _value: [0, 1, 0.5]}")) {
        Number sum =
            (Number)
                distribution.value(
                    "distributionOf(%s).bars.reduce((sum, bar) => sum + bar.share, 0)"
                        .formatted(entry));
        assertThat(sum.doubleValue()).as(entry).isCloseTo(1, within(1e-6));
      }
      distribution.gives(
          "distributionOf({_type: 'randint', _value: [2, 5]}).bars.map(bar => +bar.share.toFixed(4))",
          List.of(0.3333, 0.3333, 0.3333));
      distribution.gives(
          "distributionOf({_type: 'quniform', _value: [0, 1, 0.5]}).bars.map(bar => bar.share)",
          List.of(0.25, 0.5, 0.25));
      distribution.gives("distributionOf({_type: 'uniform', _value: [1, 1]})", null);
      distribution.gives("distributionOf({_value: [1, 2]})", null);
      // No value of the grid lies between the ends.
      distribution.gives("distributionOf({_type: 'quniform', _value: [0.6, 0.9, 1]})", null);
      distribution.gives("distributionOf({_type: 'qnormal', _value: [0.6, 0.01, 1]})", null);
      distribution.gives("distributionOf({_type: 'loguniform', _value: [0, 1]})", null);
      distribution.gives(
          "inWords({_type: 'loguniform', _value: [0.01, 1]})",
          "half below 0.1, nine in ten from 0.0126 to 0.794");
      distribution.gives(
          "inWords({_type: 'normal', _value: [5, 1]})",
          "half below 5, nine in ten from 3.36 to 6.64");
    }
  }

  @Test
  void whatAlgorithmsTakeAndWhatIsSimulatedIsWorkedOut() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/about")) {
      Pure fit = visit.pure("experiments/algorithm-fit.js");
      String nested =
          "{searchSpace: {a: {_type: 'choice', _value: [{_name: 'x', b: {_type: 'normal', _value: [0, 1]}}]}}}";
      fit.gives(
          "refusalOf({name: 'N', types: {choice: true, nested: false}}, %s)".formatted(nested),
          "no nested choice (a)");
      fit.gives(
          "refusalOf({name: 'N', types: {choice: true, nested: true, normal: false}}, %s)"
              .formatted(nested),
          "no normal (b)");
      fit.gives(
          "refusalOf({name: 'N', types: {}, className: 'own.Tuner'}, %s)".formatted(nested), null);
      fit.gives("refusalOf({name: 'N', types: {}}, {objectives: [{}, {}]})", "one objective only");
      Pure simulation = visit.pure("experiments/simulation.js");
      simulation.gives("guessOf({a: {_type: 'choice', _value: ['x']}})", "1");
      simulation.gives(
          "guessOf({a: {_type: 'uniform', _value: [0, 4]}, 'not-a-name': {_type: 'uniform', _value: [0, 1]}})",
          "1 - ((a - 2) / 4) ** 2");
      simulation.gives(
          "guessOf({a: {_type: 'uniform', _value: [0, 4]}}, 'minimize')", "((a - 2) / 4) ** 2");
      simulation.gives(
          "simulated({trialCommand: 'x', tuner: {name: 'TPE'}, trainingService: {platform: 'local'}}, {objective: '1', noise: ''})",
          Map.of(
              "tuner",
              Map.of("name", "TPE"),
              "trainingService",
              Map.of("platform", "simulated", "objective", "1")));
      simulation.gives(
          "Object.values(summary([{durationSeconds: 9, trialCounts: {SUCCEEDED: 2, FAILED: 1}, best: null}]))",
          Arrays.asList(9, 3, 1, null, null));
    }
  }
}
