package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes the document of a service by fields, with the text beside them. */
@Timeout(120)
class ServiceFormIT extends OwnServer {
  private static Locator field(Visit visit, String key) {
    return visit.at("service-form [data-key='" + key + "']");
  }

  private static Locator input(Visit visit, String key) {
    return field(visit, key).locator("input, select, textarea");
  }

  private static Locator text(Visit visit) {
    return visit.at("config-editor textarea");
  }

  @Test
  void fieldsWriteTheTextAndTheTextFillsTheFields() throws Exception {
    try (Visit visit = visit("/documents/service")) {
      assertThat(input(visit, "name")).hasValue("hello");
      text(visit).fill("# why it is there\n" + text(visit).inputValue() + "cluster: moon\n");
      assertThat(input(visit, "cluster")).hasValue("moon");
      assertThat(field(visit, "cluster").locator(".fault")).containsText("moon");
      input(visit, "cluster").fill("");
      assertThat(field(visit, "cluster").locator(".fault")).hasCount(0);

      input(visit, "name").fill("formed");
      input(visit, "command").fill("sleep 600\n# the end");
      input(visit, "ports").fill("8080, 9090");
      input(visit, "health").fill("");
      input(visit, "stage").selectOption("test");
      input(visit, "resources.memory").fill("256M");
      visit.button("Variable").click();
      visit.page().getByLabel("Name of variable 1").fill("FAIR");
      visit.page().getByLabel("Name of variable 1").blur();
      visit.page().getByLabel("Value of variable FAIR").fill("no");
      visit.page().getByLabel("Value of variable FAIR").blur();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(text(visit).inputValue())
          .startsWith("# why it is there\nkind: Service\nname: formed\n")
          .contains("ports: [8080, 9090]", "stage: test", "memory: 256M")
          .doesNotContain("cluster", "health");

      visit.button("Save and deploy").click();
      assertThat(visit.at("h1")).hasText("formed");
    }
    JsonNode saved = server.get("/services/formed");
    assertThat(saved.at("/command").textValue()).isEqualTo("sleep 600\n# the end");
    assertThat(saved.at("/env/FAIR").textValue()).isEqualTo("no");
    assertThat(saved.at("/ports").toString()).isEqualTo("[8080,9090]");
    send("DELETE", "/services/formed", "");
  }

  @Test
  void aFaultStandsAtItsFieldAndOnItsLineAndWhatNoFieldHoldsStaysInTheText() {
    try (Visit visit = visit("/documents/service")) {
      input(visit, "replicas").fill("many");
      assertThat(field(visit, "replicas").locator(".fault")).isVisible();
      assertThat(input(visit, "replicas")).hasAttribute("aria-invalid", "true");
      assertThat(visit.at("config-editor .marks .wrong")).containsText("replicas: many");
      assertThat(visit.button("Save and deploy")).isDisabled();
      input(visit, "name").fill("");
      assertThat(field(visit, "name").locator(".fault")).isVisible();
      assertThat(field(visit, "replicas").locator(".fault")).isVisible();

      text(visit).fill("kind: Service\nname: scaled\ncommand: x\nreplicas: {min: 1, max: 3}\n");
      assertThat(field(visit, "replicas")).hasCount(0);
      assertThat(visit.at("service-form")).containsText("More than a field holds");
      input(visit, "title").fill("Scaled");
      assertThat(text(visit)).hasValue(Pattern.compile("max: 3[\\s\\S]*title: Scaled"));

      text(visit).fill("kind: [");
      assertThat(visit.at("main")).containsText("errors that the form cannot show");
      visit.button("Text").click();
      assertThat(visit.at("service-form")).hasCount(0);
      assertThat(text(visit)).hasValue("kind: [");
    }
  }

  @Test
  void valuesThatNoFieldTouchedStayAsTheyAreWritten() {
    String document =
        """
        kind: Service
        name: whole
        command: x
        title: 1_000
        replicas: 1e400
        cluster: 00012
        env:
          # A comment.
          BIG: 9007199254740993
          EXPONENT: 12e03
          HEXADECIMAL: 0x1F
        """;
    try (Visit visit = visit("/documents/service")) {
      text(visit).fill(document);
      assertThat(input(visit, "name")).hasValue("whole");
      input(visit, "image").fill("no");
      assertThat(text(visit)).hasValue(document + "image: no\n");
      input(visit, "image").fill("");
      assertThat(text(visit)).hasValue(document);
      text(visit).fill(document + "imageOf: tool\n");
      assertThat(input(visit, "imageOf")).hasValue("tool");
      assertThat(field(visit, "image")).hasCount(0);
      input(visit, "title").fill("Titled");
      assertThat(text(visit)).hasValue(document.replace("1_000", "Titled") + "imageOf: tool\n");
      text(visit).fill(document);
      visit.page().getByLabel("Value of variable EXPONENT").fill("00013");
      visit.page().getByLabel("Value of variable EXPONENT").blur();
      assertThat(text(visit)).hasValue(document.replace("12e03", "\"00013\""));
    }
  }

  @Test
  void whatTheFormCannotWriteIsAFault() {
    try (Visit visit = visit("/documents/service")) {
      text(visit).fill("kind: Service\nname: x\ncommand: x\nresources: big\n");
      assertThat(field(visit, "resources.cpu").locator(".fault"))
          .containsText("resources must be an object to have cpu");
      text(visit).fill("kind: Service\nname: x\ncommand: x\nresources:\n");
      input(visit, "resources.cpu").fill("2");
      assertThat(text(visit)).hasValue(Pattern.compile("resources:\n  cpu: 2\n"));
      text(visit).fill("name: &n x\ntitle: *n\n");
      input(visit, "name").fill("");
      assertThat(field(visit, "name").locator(".fault")).containsText("Unresolved alias");
      text(visit).fill("command: *.py\n");
      assertThat(visit.at("main")).containsText("errors that the form cannot show");
      Pure core = visit.pure("documents/core-yaml.js");
      core.gives("parseCore('command: *.py').errors.length", 1);
      core.gives(
          "parseCore('env: &x {b: *x}').errors[0].message",
          "the alias *x stands inside of what it names");
    }
  }

  @Test
  void theFormFitsATelephone() {
    var options = new Browser.NewContextOptions().setViewportSize(390, 844);
    try (Visit visit = new Visit(chromium, server.url(), options).to("/documents/service")) {
      assertThat(input(visit, "name")).isVisible();
      assertThat(visit.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    }
  }
}
