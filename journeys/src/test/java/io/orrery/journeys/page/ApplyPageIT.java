package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Applies documents on the page, as {@code orrery apply} does, and checks them for their platform.
 */
@Timeout(180)
class ApplyPageIT extends OwnServer {
  private static final String TEMPLATE =
      """
      kind: Template
      name: %s
      command: [echo]
      arguments:
        Model:
          --depth: {type: int, range: [1, 20], default: 6}
      """;

  private static final String PIPELINE =
      """
      kind: Pipeline
      name: %s
      project: %s
      tasks:
        - {name: grow, template: %s, arguments: {--depth: 4}}
      """;

  private static Locator text(Visit visit) {
    return visit.at("config-editor textarea");
  }

  private static Locator row(Visit visit, String title) {
    return visit.at("table[aria-label=Plan] tr[data-name='" + title + "']");
  }

  @Test
  void documentsThatNeedEachOtherAreCheckedTogetherAndAppliedInTheirOrder() throws Exception {
    try (Visit visit = visit("/apply")) {
      assertThat(visit.button("Apply")).isDisabled();
      text(visit)
          .fill(
              PIPELINE.formatted("tree", "forest", "grower")
                  + "---\n"
                  + TEMPLATE.formatted("grower")
                  + "---\nkind: Project\nname: forest\n---\n"
                  + "kind: Model\nname: oak\nproject: forest\n"
                  + "versions: [{version: v1, path: /models/oak}]\naliases: {production: v1}\n");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(visit.at("table[aria-label=Plan] tbody tr b"))
          .hasText(
              new String[] {"Project/forest", "Template/grower", "Model/oak", "Pipeline/tree"});
      assertThat(row(visit, "Model/oak")).containsText("created planned");
      assertThat(send("GET", "/templates/grower", "").statusCode()).isEqualTo(404);

      visit.button("Apply").click();
      assertThat(visit.at(".toast")).containsText("4 objects applied");
      assertThat(row(visit, "Pipeline/tree")).containsText("created done");
      assertThat(visit.button("Apply")).isDisabled();
      row(visit, "Model/oak").locator("a").click();
      assertThat(visit.at("h1")).hasText("oak");
    }
    assertThat(server.get("/pipelines/tree").get("project").textValue()).isEqualTo("forest");
    assertThat(server.get("/models/oak").at("/aliases/production").textValue()).isEqualTo("v1");
  }

  @Test
  void allThatIsWrongIsSaidAtItsLineAndNothingIsStored() throws Exception {
    try (Visit visit = visit("/apply")) {
      text(visit)
          .fill(
              TEMPLATE.formatted("wrong")
                  + "bogus: 1\n---\nkind: Servce\nname: x\n---\n"
                  + "kind: Service\nname: why\ncommand: x\nreplicas: many\n");
      Locator findings = visit.at(".findings li");
      assertThat(findings).hasCount(3);
      assertThat(findings.nth(0)).containsText("Line 7 /bogus");
      assertThat(findings.nth(1)).containsText("Line 9 /kind");
      assertThat(findings.nth(1)).containsText("there is no kind 'Servce'");
      assertThat(findings.nth(2)).containsText("Line 15 /replicas");
      assertThat(visit.at("config-editor .marks .wrong")).hasCount(3);
      assertThat(visit.button("Apply")).isDisabled();
      findings.nth(2).locator("button").click();
      assertThat(text(visit)).isFocused();
    }
    assertThat(send("GET", "/templates/wrong", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/services/why", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aChangeIsShownLineByLineAndTheSameAgainChangesNothing() throws Exception {
    put("/templates/deep", TEMPLATE.formatted("deep"));
    put("/templates/gone", TEMPLATE.formatted("gone"));
    try (Visit visit = visit("/apply")) {
      visit
          .page()
          .getByLabel("Open files")
          .setInputFiles(
              new FilePayload(
                  "deep.yml",
                  "text/yaml",
                  TEMPLATE
                      .formatted("deep")
                      .replace("default: 6", "default: 7")
                      .getBytes(StandardCharsets.UTF_8)));
      assertThat(row(visit, "Template/deep")).containsText("changed planned");
      visit.button("What changes").click();
      assertThat(visit.at("tr.detail .bad")).containsText("default: 6");
      assertThat(visit.at("tr.detail .good")).containsText("default: 7");
      visit.page().getByText("Delete what is not in them any more").click();
      assertThat(row(visit, "Template/gone")).containsText("deleted planned");
      visit.page().getByText("Delete what is not in them any more").click();
      assertThat(row(visit, "Template/gone")).hasCount(0);
      visit.button("Apply").click();
      assertThat(row(visit, "Template/deep")).containsText("changed done");

      text(visit).fill(text(visit).inputValue() + "\n");
      assertThat(row(visit, "Template/deep")).containsText("unchanged planned");
    }
    assertThat(server.get("/templates/deep").at("/arguments/Model/--depth/default").intValue())
        .isEqualTo(7);
    assertThat(send("GET", "/templates/gone", "").statusCode()).isEqualTo(200);
  }

  @Test
  void documentsAreReadAsTheServerReadsThem() {
    try (Visit visit = visit("/")) {
      Pure manifests = visit.pure("apply/manifests.js");
      manifests.gives("split('# a\\n---\\nx: 1\\n---\\n\\n').map(part => part.above).join()", "2");
      String json =
          "readManifests('kind: Template\\nname: x\\n%s\\n').manifests[0].json(['kind', 'name'])";
      manifests.gives(
          json.formatted("a: [1.0, 017, no, 0x10, 1e3]"),
          "{\"a\":[1.0,\"017\",\"no\",16,\"1e3\"]}");
      manifests.gives(
          "readManifests('{\"kind\": \"Template\", \"name\": \"x\", \"a\": 1e3}').manifests[0].json(['kind', 'name'])",
          "{\"a\":1e3}");
      manifests.gives(
          json.formatted("a: &b {c: 9007199254740993}\\nd: *b"),
          "{\"a\":{\"c\":9007199254740993},\"d\":{\"c\":9007199254740993}}");
      manifests.gives(
          "readManifests('{\"kind\": \"Service\", \"model\": {\"name\": \"a/b\", \"version\": \"v1.2\"}}').manifests[0].name",
          "internal-a-b-12");
      manifests.gives(
          "readManifests('kind: Service\\nname: a\\ncanary: b:20%%\\n---\\nkind: Service\\nname: b\\n').manifests.map(one => one.name).join()"
              .replace("%%", "%"),
          "b,a");
      manifests.gives(
          "readManifests('kind: Service\\nname: a\\ncanary: b:20%%\\n---\\nkind: Service\\nname: b\\ncanary: a:1%%\\n').findings[0].message"
              .replace("%%", "%"),
          "a cycle: a → b → a");
      manifests.gives("readManifests('kind: Service\\nname: a\\nname: b\\n').findings[0].line", 3);
      manifests.gives(
          "readManifests('kind: Service\\nname: a\\nenv: &x {b: *x}\\n').findings[0].message",
          "the alias *x stands inside of what it names");
    }
  }

  @Test
  void noDocumentLeavesTheCheckWithoutAnEnd() {
    for (String page : List.of("/apply", "/check")) {
      try (Visit visit = visit(page)) {
        for (String rest : List.of("type: 5\nmodel: {name: a, version: 1}", "env: &x {b: *x}")) {
          text(visit).fill("kind: Service\n" + rest + "\n");
          if (page.equals("/check")) {
            visit.button("Check").click();
          }
          assertThat(visit.at(".findings li").first()).isVisible();
        }
      }
    }
  }

  @Test
  void aTextThatIsChangedWhileAnotherIsAppliedIsCheckedAfterwards() {
    AtomicReference<Route> held = new AtomicReference<>();
    try (Visit visit = new Visit(chromium, server.url())) {
      visit.page().clock().install();
      visit
          .page()
          .route(
              url -> url.contains("/templates/slow"),
              route -> {
                boolean isApplied =
                    route.request().method().equals("PUT")
                        && !route.request().url().contains("dryRun=true");
                if (isApplied) {
                  held.set(route);
                } else {
                  route.resume();
                }
              });
      visit.to("/apply");
      text(visit).fill(TEMPLATE.formatted("slow"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Apply").click();
      visit.page().waitForCondition(() -> held.get() != null);
      text(visit).fill(TEMPLATE.formatted("later"));
      visit.page().clock().runFor(2_000);
      held.get().resume();
      assertThat(row(visit, "Template/later")).containsText("created planned");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
    }
  }

  @Test
  void theTextStaysWhenAnotherProjectIsChosen() throws Exception {
    put("/projects/grove", "{}");
    try (Visit visit = visit("/apply")) {
      text(visit).fill(TEMPLATE.formatted("kept"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.page().locator("select.project").selectOption("public");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(text(visit)).hasValue(TEMPLATE.formatted("kept"));
      visit.to("/registration");
      visit.page().getByLabel("Aliases").fill("production");
      visit.page().locator("select.project").selectOption("");
      assertThat(visit.page().getByLabel("Aliases")).hasValue("production");
    }
  }

  @Test
  void aNewDocumentComesToTheProjectThatIsChosenWhileItIsWritten() throws Exception {
    put("/projects/grove", "{}");
    try (Visit visit = visit("/documents/template/new")) {
      text(visit).fill(TEMPLATE.formatted("planted"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.page().locator("select.project").selectOption("grove");
      assertThat(text(visit)).hasValue(TEMPLATE.formatted("planted"));
      visit.button("Save").click();
      assertThat(visit.at("h1")).hasText("planted");
      assertThat(server.get("/templates/planted").get("project").textValue()).isEqualTo("grove");

      visit.to("/documents/template/new");
      text(visit).fill(TEMPLATE.formatted("named") + "project: public\n");
      visit.button("Save").click();
      assertThat(visit.at("h1")).hasText("named");
      assertThat(server.get("/templates/named").get("project").textValue()).isEqualTo("public");
      visit.page().locator("select.project").selectOption("");
    }
  }

  @Test
  void aPlatformIsCheckedForAConfigurationAndForDocuments() throws Exception {
    try (Visit visit = visit("/status")) {
      visit.link("Check a platform").click();
      assertThat(visit.button("Check")).isDisabled();
      text(visit)
          .fill(
              """
              experimentName: looked
              trialCommand: "true"
              trialCodeDirectory: %s
              trialConcurrency: 1
              searchSpace: {kind: {_type: choice, _value: [1]}}
              tuner: {name: Random}
              trainingService: {platform: local}
              """
                  .formatted(home.toAbsolutePath()));
      visit.button("Check").click();
      assertThat(visit.at("section[aria-label=Found]")).containsText("The platform is local.");
      assertThat(visit.at("table[aria-label=Findings] .pill").first()).hasText("Good");

      text(visit).fill("kind: Service\nname: seen\ncommand: sleep 1\n");
      assertThat(visit.at("table[aria-label=Findings]")).hasCount(0);
      visit.button("Check").click();
      assertThat(visit.at("tr[data-what='Service/seen']")).containsText("could run");
      text(visit).fill("kind: Service\nname: seen\ncommand: sleep 1\nbogus: 1\n");
      visit.button("Check").click();
      assertThat(visit.at(".findings")).containsText("Line 4");
    }
    assertThat(send("GET", "/services/seen", "").statusCode()).isEqualTo(404);
  }
}
