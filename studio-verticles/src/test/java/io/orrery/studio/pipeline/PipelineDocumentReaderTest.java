package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.HostMounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads documents of pipelines, and freezes them into runs. */
class PipelineDocumentReaderTest {
  private static final PipelineName NAME = new PipelineName("digits");
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final TemplateDocument XGB =
      TemplateDocumentReader.read(
          new PipelineName("xgb"),
          json(
              """
              name: xgb
              command: [python3, train.py]
              arguments:
                Model:
                  --depth: {type: int, range: [1, 20], default: 6}
                  --fast: {type: bool, default: false}
                  --loss: {type: enum, choice: [log, hinge], default: log}
                  --extra: {type: dict, require: 0, sub_args: {a: {type: int}}}
              """));
  private static final PipelineSurroundings WITH =
      new PipelineSurroundings(
          List.of("local", "simulated"),
          List.of(new StepCluster("box", StepContainer.PLATFORM)),
          new HostMounts(List.of("/data")),
          ProjectSettings.NONE,
          Map.of(
              "xgb",
              XGB,
              "python",
              BuiltInTemplates.document(
                  BuiltInTemplates.find(new PipelineName("python")).orElseThrow())));

  private static String json(String yaml) {
    return Json.write(Document.read(yaml).root());
  }

  private static List<Finding> findings(String yaml) {
    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class, () -> PipelineDocumentReader.read(NAME, json(yaml), WITH));
    assertThat(refused).as(yaml).isNotNull();
    return ((Problem.Refused) refused.problem()).findings();
  }

  private static RunSpec frozen(String yaml, String parameters) {
    return RunFreezer.freeze(
        new RunFreezer.Start(
            new RunId("r1"),
            new Pipeline(NAME, ProjectName.PUBLIC, "ann", json(yaml), NOW, NOW, 4),
            4,
            (ObjectNode) Json.parse(parameters),
            "bob",
            true,
            null,
            NOW),
        PipelineDocumentReader.read(NAME, json(yaml), WITH).document());
  }

  /** Each line has one fault: the tasks, where it is, and a part of what is said. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {name: a, command: 'echo {{parameters.epoch}}'}         | /tasks/0/command | did you mean 'epochs'
          {name: a, command: 'echo {{7*7}}'}                      | /tasks/0/command | looks up nothing
          {name: a, command: 'echo {{x'}                          | /tasks/0/command | ends with
          {name: a, command: 'x', after: [b]}                     | /tasks/0/after/0 | no task 'b'
          {name: a, command: 'x', after: [a]}                     | /tasks/0         | circle
          {name: a, command: 'x', inputs: {d: '{{tasks.a.outputs.y}}'}} | /tasks/0/inputs/d | no output of a 'y'
          {name: A, command: 'x'}                                 | /tasks/0/name    | lower-case
          {name: a}                                               | /tasks/0/command | a command or a template
          {name: a, template: xgd}                                | /tasks/0/template | did you mean 'xgb'
          {name: a, template: xgb, arguments: {--depth: 40}}      | /tasks/0/arguments/--depth | 1 to 20
          {name: a, template: xgb, arguments: {--depth: x}}       | /tasks/0/arguments/--depth | whole number
          {name: a, template: xgb, arguments: {--fast: maybe}}    | /tasks/0/arguments/--fast | true or false
          {name: a, template: xgb, arguments: {--los: log}}       | /tasks/0/arguments/--los | did you mean '--loss'
          {name: a, template: python, arguments: {code: 'f({{parameters.epochs}})'}} | /tasks/0/arguments/code | code has no lookups
          {name: a, command: x, outputs: {m: {path: ../x}}}       | /tasks/0/outputs/m/path | below
          {name: a, command: x, retry: {attempts: 0}}             | /tasks/0/retry/attempts | from 1 to 100
          {name: a, command: x, timeout: soon}                    | /tasks/0/timeout | duration
          {name: a, command: x, when: '3 >'}                      | /tasks/0/when    | both sides
          {name: a, command: x, trainingService: {platform: moon}} | /tasks/0/trainingService | not on 'moon'
          {name: a, command: x, outputs: {rows: {value: n}}, trainingService: {platform: simulated, outputs: {rowz: 3}}} | /tasks/0/trainingService/outputs/rowz | did you mean 'rows'
          {name: a, command: x, trainingService: {platform: simulated, outputs: {a/b: 3}}} | /tasks/0/trainingService/outputs/a~1b | declares no output 'a/b'
          {name: a, command: x, env: {ORRERY_RUN: x}}             | /tasks/0/env     | set by the server
          {name: a, command: x, cmd: y}                           | /tasks/0/cmd     | no key 'cmd'
          """)
  void aFaultIsFoundWithItsPlaceAndWithWhatWouldBeRight(
      String task, String pointer, String message) {
    List<Finding> found =
        findings("parameters: {epochs: {type: int, default: 3}}\ntasks: [" + task + "]");

    assertThat(found)
        .anySatisfy(finding -> {
          assertThat(finding.pointer()).isEqualTo(pointer);
          assertThat(finding.message()).contains(message);
        });
  }

  @Test
  void allFindingsComeAtOnce() {
    List<Finding> found =
        findings(
            """
            nmae: x
            parallelism: 0
            parameters: {a: {type: ints}}
            tasks:
              - {name: a, command: x, after: [c]}
              - {name: b}
              - {name: b, command: x}
            """);

    assertThat(found)
        .extracting(Finding::pointer)
        .contains(
            "/nmae",
            "/parallelism",
            "/parameters/a/type",
            "/tasks/0/after/0",
            "/tasks/1/command",
            "/tasks/2/name");
  }

  /** Cube Studio's own test for circles never finds one, and the tasks vanish. */
  @Test
  void tasksThatWaitForEachOtherAreNamedInTheirOrder() {
    List<Finding> found =
        findings(
            """
            tasks:
              - {name: a, command: x, after: [c]}
              - {name: b, command: x, after: [a]}
              - {name: c, command: x, after: [b]}
            """);

    assertThat(found)
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).contains("a needs c needs b needs a"));
  }

  @Test
  void aParameterStaysTheTextThatItIs() {
    RunSpec run =
        frozen(
            """
            parameters: {x: {type: str}}
            env: {Y: "{{parameters.x}}!"}
            tasks:
              - {name: a, command: [echo, "{{parameters.x}}", "{{environment.Y}}", "{{{{z}}"]}
            """,
            "{\"x\": \"{{7*7}}\"}");

    List<String> words =
        ((StepCommand) run.steps().getFirst().work())
            .words().stream().map(ValueText::shown).toList();
    assertThat(words).containsExactly("echo", "{{7*7}}", "{{7*7}}!", "{{z}}");
  }

  @Test
  void argumentsBecomeFlags() {
    RunSpec run =
        frozen(
            """
            tasks:
              - name: a
                template: xgb
                arguments: {--fast: true, --extra: {a: 1}, --depth: 4}
            """,
            "{}");

    List<String> words =
        ((StepCommand) run.steps().getFirst().work())
            .words().stream().map(ValueText::shown).toList();
    assertThat(words)
        .containsExactly(
            "python3",
            "train.py",
            "--depth",
            "4",
            "--fast",
            "--loss",
            "log",
            "--extra",
            "{\"a\":1}");
  }

  @Test
  void aTaskWithEachHasAStepForEveryCombination() {
    RunSpec run =
        frozen(
            """
            parameters: {seeds: {type: list, item_type: int, default: "7,8"}}
            tasks:
              - name: train
                command: ["train", "{{each.seed}}", "{{each.kind}}"]
                each: {seed: "{{parameters.seeds}}", kind: [x, y]}
            """,
            "{}");

    assertThat(run.steps())
        .extracting(StepSpec::name)
        .containsExactly("train-1", "train-2", "train-3", "train-4");
    assertThat(run.steps().get(2).each()).containsEntry("seed", "8").containsEntry("kind", "x");
  }

  @Test
  void aDateCountsFromTheDueTime() {
    RunSpec run =
        frozen(
            "tasks: [{name: a, command: ['{{date(run.due - 1d, \"yyyy-MM-dd\")}}', '{{runner}}']}]",
            "{}");

    List<String> words =
        ((StepCommand) run.steps().getFirst().work())
            .words().stream().map(ValueText::shown).toList();
    assertThat(words).containsExactly("2026-01-30", "bob");
  }

  @Test
  void aParameterOutsideOfItsRangeStartsNoRun() {
    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () ->
                frozen(
                    """
                    parameters: {epochs: {type: int, range: [1, 100]}, name: {type: str}}
                    tasks: [{name: a, command: "x {{parameters.epochs}}"}]
                    """,
                    "{\"epochs\": 101}"));

    assertThat(((Problem.Refused) refused.problem()).findings())
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder("/parameters/epochs", "/parameters/name");
  }

  private static final String SEARCHED =
      """
      tasks:
        - name: search
          experiment: {config: "trialCommand: x", base: /tmp}
        - name: train
          command: train {{tasks.search.outputs.best.parameters}}
          outputs: {model: {path: model/}, note: {value: note}}
      """;

  @Test
  void tasksOfTheServerAreFrozenWithTheirOutputs() {
    RunSpec run =
        frozen(
            SEARCHED
                + """
                  - {name: register, model: {name: digits, from: "{{tasks.train.outputs.model}}", alias: production}}
                  - {name: best, model: {name: digits, experiment: "{{tasks.search.outputs.experiment}}"}}
                  - {name: deploy, service: {name: digits, command: serve}, after: [register]}
                  - {name: test, command: "curl {{tasks.deploy.outputs.endpoint}}"}
                """
                    .indent(0),
            "{}");

    assertThat(run.steps())
        .extracting(StepSpec::platform)
        .containsExactly("server", "local", "server", "server", "server", "local");
    assertThat(run.steps().get(0).work()).isEqualTo(new StepWork.Search("trialCommand: x", "/tmp"));
    assertThat(run.steps().get(2).inputs()).containsOnlyKeys(StepWork.Registration.INPUT);
    assertThat(run.steps().get(2).uses()).extracting(OutputRef::task).containsOnly("train");
    assertThat(run.steps().get(3).uses()).extracting(OutputRef::task).containsOnly("search");
    assertThat(run.steps().get(4).work()).isInstanceOf(StepWork.Deployment.class);
    assertThat(Json.read(Json.write(run), RunSpec.class)).isEqualTo(run);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "experiment: e.yml | /tasks/2/experiment | is a file beside the document",
        "experiment: {config: 3} | /tasks/2/experiment/config | configuration of an experiment",
        "experiment: {config: x, base: here} | /tasks/2/experiment/base | absolute",
        "{experiment: {config: x}, command: y} | /tasks/2/command | has no 'command'",
        "model: {name: digits} | /tasks/2/model/from | one of both",
        "model: {name: a/b, from: '{{tasks.train.outputs.model}}'} | /tasks/2/model/name | name has",
        "model: {name: digits, from: x} | /tasks/2/model/from | is one output",
        "model: {name: digits, from: '{{tasks.train.outputs.note}}'} | /tasks/2/model/from | no file",
        "service: s.yml | /tasks/2/service | is a file beside the document",
        "service: {command: x} | /tasks/2/service | the name of a service has",
        "command: 'x {{tasks.search.outputs.best.value}}' | /tasks/2/command | no output of search",
      })
  void aTaskOfTheServerThatIsWrongIsAFinding(String task, String pointer, String message) {
    String body = task.startsWith("{") ? task.substring(1, task.length() - 1) : task;

    List<Finding> findings = findings(SEARCHED + "  - {name: odd, " + body + "}\n");

    assertThat(findings)
        .anySatisfy(finding -> {
          assertThat(finding.pointer()).isEqualTo(pointer);
          assertThat(finding.message()).contains(message);
        });
  }

  @Test
  void anApprovalIsATextOrAnObjectAndHasNoProgram() {
    RunSpec run =
        frozen(
            """
            name: digits
            parameters: {who: {type: str}}
            tasks:
              - {name: a, approval: "Go, {{parameters.who}}?"}
              - {name: b, approval: {message: "And now?", by: [ann]}, timeout: 1h}
            """,
            "{\"who\": \"{{7*7}}\"}");

    assertThat(run.steps())
        .extracting(StepSpec::platform)
        .containsExactly(StepWork.PEOPLE, StepWork.PEOPLE);
    assertThat(((StepWork.Approval) run.steps().getFirst().work()).message().shown())
        .isEqualTo("Go, {{7*7}}?");
    assertThat(
            findings(
                """
                name: digits
                tasks:
                  - {name: a, approval: {by: [1]}, command: "true"}
                """))
        .extracting(Finding::pointer)
        .contains("/tasks/0/approval/message", "/tasks/0/approval/by", "/tasks/0/command");
  }

  /** A container may be root on what it mounts. */
  @Test
  void aContainerOfAStepMountsOnlyWhatTheOperatorLists() {
    String step = "tasks: [{name: a, image: alpine, command: x, volume_mount: '%s(hostpath):/in'}]";

    assertThat(frozen(step.formatted("/data"), "{}").steps()).isNotEmpty();
    for (String other : List.of("/etc", "/data/link", "/")) {
      assertThat(findings(step.formatted(other)))
          .as(other)
          .extracting(Finding::pointer)
          .contains("/tasks/0/volume_mount");
    }
  }
}
