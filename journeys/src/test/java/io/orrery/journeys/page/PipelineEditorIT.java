package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Mouse;
import com.microsoft.playwright.options.BoundingBox;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The editor of pipelines, in a browser, with a server that runs what is drawn. */
@Timeout(180)
class PipelineEditorIT extends OwnServer {
  private static Locator node(Visit visit, String name) {
    return visit.at("g[data-task='" + name + "']");
  }

  private static void drag(Visit visit, double[] from, double[] to) {
    Mouse mouse = visit.page().mouse();
    mouse.move(from[0], from[1]);
    mouse.down();
    mouse.move(to[0], to[1], new Mouse.MoveOptions().setSteps(6));
    mouse.up();
  }

  private static double[] in(Locator at, double right, double down) {
    BoundingBox box = at.boundingBox();
    return new double[] {box.x + right, box.y + down};
  }

  private static void dropTask(Visit visit, String item, int x, int y) {
    Locator button = visit.at("[data-item='" + item + "']");
    button.scrollIntoViewIfNeeded();
    drag(visit, in(button, 20, 10), in(visit.at("svg.plane"), x, y));
  }

  private static void connect(Visit visit, String from, String to) {
    double[] target = in(node(visit, to).locator("> rect"), 90, 28);
    drag(visit, in(node(visit, from).locator(".reach"), 14, 14), target);
  }

  private static void rename(Visit visit, String from, String to) {
    node(visit, from).locator(".name").click();
    visit.at("task-panel input[name=name]").fill(to);
    visit.page().keyboard().press("Enter");
    assertThat(node(visit, to)).isVisible();
  }

  private static Map<String, List<String>> waits(String pipeline) throws Exception {
    JsonNode tasks = server.get("/pipelines/" + pipeline).get("tasks");
    return StreamSupport.stream(tasks.spliterator(), false)
        .collect(
            Collectors.toMap(
                task -> task.get("name").textValue(),
                task ->
                    StreamSupport.stream(task.path("after").spliterator(), false)
                        .map(JsonNode::textValue)
                        .toList()));
  }

  @Test
  void fiveTasksAreDrawnConnectedAndRunWithTheMouseAlone() throws Exception {
    try (Visit visit = visit("/editor")) {
      dropTask(visit, "command", 130, 120);
      dropTask(visit, "template shell", 400, 60);
      dropTask(visit, "template python", 400, 180);
      dropTask(visit, "command", 640, 120);
      dropTask(visit, "command", 400, 320);
      connect(visit, "command", "shell");
      connect(visit, "command", "python");
      connect(visit, "shell", "command-2");
      connect(visit, "python", "command-2");
      connect(visit, "command", "command-3");

      connect(visit, "command-2", "command");
      assertThat(visit.at(".canvas .hint"))
          .hasText(
              "command cannot wait for command-2: command-2 waits for shell, which waits for command,"
                  + " so neither would ever start.");
      assertThat(visit.at("[data-edge]")).hasCount(5);
      assertThat(visit.at(".verdict .pill")).hasText("Valid");

      visit.button("Run…").click();
      visit.at("run-form button.primary").click();
      assertThat(visit.at(".run-card .pill").first()).hasText("Succeeded");
      assertThat(visit.at("g.task[data-status=SUCCEEDED]")).hasCount(5);
      node(visit, "shell").locator(".name").click();
      visit.button("shell: log and outputs").click();
      assertThat(visit.at("pre.log")).containsText("hello");
      visit.button("Close").click();

      visit.button("Run this task alone").click();
      assertThat(visit.at(".run-card .pill").first()).hasText("Succeeded");
      assertThat(node(visit, "shell")).hasAttribute("data-status", "SUCCEEDED");
      assertThat(node(visit, "python")).not().hasAttribute("data-status", "SUCCEEDED");

      visit.button("Debug this task").click();
      visit.at("shell-panel input").fill("echo \"shell of $ORRERY_STEP: $((6 * 7))\"");
      visit.at("shell-panel input").press("Enter");
      assertThat(visit.at("shell-panel pre")).containsText("shell of shell: 42");
      visit.button("End the shell").click();
      assertThat(visit.at(".run-card .pill").first()).hasText("Stopped");
    }
    JsonNode runs = server.get("/runs?pipeline=my-pipeline");
    assertThat(runs.at("/items/0/trigger").textValue()).isEqualTo("debug shell");
    assertThat(runs.at("/items/1/trigger").textValue()).isEqualTo("task shell");
    assertThat(waits("my-pipeline"))
        .isEqualTo(
            Map.of(
                "command", List.of(),
                "shell", List.of("command"),
                "python", List.of("command"),
                "command-2", List.of("shell", "python"),
                "command-3", List.of("command")));
  }

  @Test
  void fiveTasksAreWrittenConnectedAndRunWithKeysAlone() throws Exception {
    try (Visit visit = visit("/editor")) {
      assertThat(visit.at("task-palette button.item").first()).isVisible();
      Keyboard keys = visit.page().keyboard();
      visit.at("pipeline-settings [data-key=name] input").focus();
      keys.press("Control+A");
      keys.type("typed");
      for (String name : List.of("one", "two", "three", "four", "five")) {
        if (name.equals("one")) {
          visit.at("task-palette input").focus();
        } else {
          keys.press("/");
          keys.press("Control+A");
        }
        keys.type("command");
        keys.press("Enter");
        assertThat(visit.at("g.task.chosen")).isFocused();
        keys.press("Enter");
        assertThat(visit.at("task-panel input[name=name]")).isFocused();
        keys.press("Control+A");
        keys.type(name);
        keys.press("Enter");
        assertThat(node(visit, name)).isVisible();
        keys.press("Escape");
        assertThat(node(visit, name)).isFocused();
      }
      for (int n = 0; n < 4; n++) {
        keys.press("ArrowLeft");
      }
      assertThat(node(visit, "one")).isFocused();
      for (String next : List.of("two", "three", "four", "five")) {
        keys.press("c");
        assertThat(visit.at(".canvas .hint")).containsText("Which task waits");
        keys.press("ArrowRight");
        assertThat(visit.at(".canvas .hint")).containsText(next + " waits for");
        keys.press("Enter");
      }
      assertThat(visit.at("[data-edge]")).hasCount(4);
      keys.press("c");
      for (int n = 0; n < 4; n++) {
        keys.press("ArrowLeft");
      }
      keys.press("Enter");
      assertThat(visit.at(".canvas .hint")).containsText("one cannot wait for five");
      keys.press("Control+S");
      assertThat(visit.at("h1 a")).hasText("typed");
      visit.button("Run…").focus();
      keys.press("Enter");
      visit.at("run-form button.primary").focus();
      keys.press("Enter");
      assertThat(visit.at("g.task[data-status=SUCCEEDED]")).hasCount(5);
    }
    assertThat(waits("typed").get("five")).containsExactly("four");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aNameThatIsTakenMeanwhileIsReportedAndNothingIsOverwritten() throws Exception {
    try (Visit visit = visit("/editor")) {
      Locator text = visit.at("config-editor textarea");
      visit.button("Text").click();
      text.fill("name: taken\ntasks: [{name: mine, command: echo mine}]\n");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      put("/pipelines/taken", "{tasks: [{name: theirs, command: echo theirs}]}");
      visit.button("Save").click();
      assertThat(visit.at("body")).containsText("there is a pipeline taken already");
    }
    assertThat(server.get("/pipelines/taken").at("/tasks/0/name").textValue()).isEqualTo("theirs");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void twoPeopleWhoEditSeeWhatTheOtherSaved() throws Exception {
    put(
        "/pipelines/shared",
        "{kind: Pipeline, name: shared, tasks: [{name: one, command: echo 1}]}");
    try (Visit ann = visit("/editor?name=shared");
        Visit bob = visit("/editor?name=shared")) {
      node(bob, "one").locator(".name").click();
      node(ann, "one").locator(".name").click();
      ann.at("task-panel [data-key=command] textarea").fill("echo of ann");
      ann.button("Save").click();
      assertThat(ann.at(".pill.warn")).hasCount(0);

      bob.at("task-panel [data-key=title] input")
          .evaluate("field => field.closest('details').open = true");
      bob.at("task-panel [data-key=title] input").fill("of bob");
      bob.button("Save").click();
      assertThat(bob.at(".trouble")).containsText("- ");
      assertThat(bob.at(".trouble")).containsText("echo of ann");
      assertThat(bob.at(".trouble")).containsText("title: of bob");
      assertThat(server.get("/pipelines/shared").at("/tasks/0/command").textValue())
          .isEqualTo("echo of ann");

      bob.button("Keep mine over theirs").click();
      bob.button("Save").click();
      assertThat(bob.at(".title .pill.warn")).hasCount(0);
    }
    assertThat(server.get("/pipelines/shared").at("/tasks/0/title").textValue())
        .isEqualTo("of bob");
  }

  @Test
  void theTextAndThePictureAreOneDocumentWhoseCommentsStay() throws Exception {
    try (Visit visit = visit("/editor?sample=hello")) {
      visit.button("Both").click();
      Locator text = visit.at("config-editor textarea");
      rename(visit, "prepare", "make");
      assertThat(text).hasValue(Pattern.compile("# The lookup makes the edge"));
      assertThat(text).hasValue(Pattern.compile("tasks\\.make\\.outputs\\.rows"));
      assertThat(visit.at("[data-edge='make use']")).hasCount(1);

      text.fill(text.inputValue().replace("name: use", "name: consume"));
      assertThat(node(visit, "consume")).isVisible();
      visit.button("Undo").click();
      assertThat(node(visit, "use")).isVisible();
      visit.button("Redo").click();
      assertThat(node(visit, "consume")).isVisible();

      text.fill(text.inputValue() + "tasks: [\n");
      assertThat(visit.at(".verdict .pill")).containsText("problem");
      assertThat(node(visit, "consume")).isVisible();
      visit.button("Undo").click();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Save").click();
      assertThat(visit.at("h1 a")).hasText("hello");
      visit.page().reload();
      assertThat(text).hasValue(Pattern.compile("# The lookup"));
    }
    assertThat(server.get("/pipelines/hello").at("/tasks/1/name").textValue()).isEqualTo("consume");
  }

  @Test
  void aFaultIsSaidAtItsFieldAndOnItsTask() {
    try (Visit visit = visit("/editor")) {
      dropTask(visit, "template http", 200, 200);
      visit.at("[data-argument='--timeout'] input").fill("0");
      assertThat(visit.at("[data-argument='--timeout'] .fault")).containsText("86400");
      assertThat(visit.at("g.task.wrong")).hasCount(1);
      assertThat(visit.button("Save")).isDisabled();
      visit.at("[data-argument='--timeout'] input").fill("5");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(visit.at("g.task.wrong")).hasCount(0);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void tasksAreCopiedPastedDeletedAndArranged() {
    try (Visit visit = visit("/editor?sample=hello")) {
      visit.page().context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
      Keyboard keys = visit.page().keyboard();
      node(visit, "prepare").locator(".name").click();
      keys.press("Control+A");
      keys.press("Control+C");
      keys.press("Control+V");
      assertThat(node(visit, "prepare-2")).isVisible();
      assertThat(visit.at("[data-edge='prepare-2 use-2']")).hasCount(1);
      keys.press("Delete");
      assertThat(visit.at("g.task")).hasCount(2);
      keys.press("Control+Z");
      assertThat(visit.at("g.task")).hasCount(4);
      visit.button("Arrange").click();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.at("[data-edge='prepare use'] .wide").click(new Locator.ClickOptions().setForce(true));
      keys.press("Delete");
      assertThat(visit.at(".toast.bad")).containsText("uses an output of prepare");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whatWasNotSavedIsThereAgainAfterAReload() throws Exception {
    put("/pipelines/kept", "{kind: Pipeline, name: kept, tasks: [{name: one, command: echo 1}]}");
    try (Visit visit = visit("/editor?name=kept")) {
      dropTask(visit, "command", 300, 300);
      assertThat(node(visit, "command")).isVisible();
      visit.to("/pipelines");
      assertThat(visit.at("h1")).hasText("Pipelines");
      visit.to("/editor?name=kept");
      assertThat(node(visit, "command")).isVisible();
      visit.button("Undo").click();
      assertThat(visit.at("g.task")).hasCount(1);
      visit.button("Redo").click();
      visit.button("Save").click();
      assertThat(visit.at(".title .pill.warn")).hasCount(0);
    }
    assertThat(server.get("/pipelines/kept").get("tasks")).hasSize(2);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void everyKindOfTaskBeginsAsOneThatTheServerTakesOrSaysWhatItNeeds() {
    try (Visit visit = visit("/editor")) {
      for (String kind : List.of("experiment", "service", "approval", "template sql")) {
        visit.at("[data-item='" + kind + "']").click();
        assertThat(visit.at("g.task.chosen")).isFocused();
        assertThat(visit.at(".verdict .pill")).hasText("Valid");
      }
      visit.at("[data-item=model]").click();
      assertThat(visit.at("task-panel .fault").first()).isVisible();
      assertThat(visit.at("g.task.wrong")).hasCount(1);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void twoHundredTasksMoveWithoutLongFrames() throws Exception {
    String tasks =
        IntStream.range(0, 200)
            .mapToObj(n ->
                n < 10
                    ? "{name: t%d, command: echo}".formatted(n)
                    : "{name: t%d, command: echo, after: [t%d, t%d]}".formatted(n, n - 10, n / 2))
            .collect(Collectors.joining(", "));
    put("/pipelines/large", "{kind: Pipeline, name: large, tasks: [" + tasks + "]}");
    try (Visit visit = visit("/editor?name=large")) {
      assertThat(visit.at("g.task")).hasCount(200);
      visit
          .page()
          .evaluate(
              """
              () => {
                window.frames_ = [];
                let last = performance.now();
                const next = now => { window.frames_.push(now - last); last = now; window.going = requestAnimationFrame(next); };
                requestAnimationFrame(next);
              }
              """);
      double[] from = in(visit.at("g.task").nth(40).locator("> rect"), 5, 5);
      Mouse mouse = visit.page().mouse();
      mouse.move(from[0], from[1]);
      mouse.down();
      mouse.move(from[0] + 200, from[1] + 100, new Mouse.MoveOptions().setSteps(90));
      mouse.up();
      double[] empty = in(visit.at("svg.plane"), 20, 100);
      mouse.move(empty[0], empty[1]);
      mouse.down();
      mouse.move(empty[0] + 200, empty[1] + 100, new Mouse.MoveOptions().setSteps(90));
      mouse.up();
      @SuppressWarnings("unchecked")
      List<Number> frames =
          (List<Number>)
              visit
                  .page()
                  .evaluate(
                      "() => (cancelAnimationFrame(window.going), window.frames_.slice(1).sort((a, b) => a - b))");
      double middle = frames.get(frames.size() / 2).doubleValue();
      double ninetyFive = frames.get(frames.size() * 95 / 100).doubleValue();
      System.out.printf(
          "frames of 200 tasks that move: %d, median %.1f ms, 95 %% %.1f ms%n",
          frames.size(), middle, ninetyFive);
      assertThat(middle).isLessThan(20);
      // Two frames of a machine that shares its cores: a gesture that drew anew would take far
      // more.
      assertThat(ninetyFive).isLessThan(100);
      // The map shows all of them, and leads the view where it is clicked.
      assertThat(visit.at(".minimap rect.spot")).hasCount(200);
      Locator seen = visit.at(".minimap rect.seen");
      String before = seen.getAttribute("y");
      visit.at("svg.minimap").click(new Locator.ClickOptions().setPosition(20, 5));
      assertThat(seen).not().hasAttribute("y", before);
    }
  }
}
