package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.Condition;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.GitCode;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import io.orrery.core.service.ServiceName;
import io.orrery.core.trial.Parameters;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of templates, pipelines and runs as another process would get them. */
class PipelineWireTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor BY = new Actor("ann", "10.0.0.7");
  private static final PipelineName NAME = new PipelineName("digits");
  private static final RunId RUN = new RunId("r1");
  private static final OutputRef ROWS = new OutputRef("prepare", "rows");
  private static final ValueText TEXT =
      new ValueText(
          List.of(
              new ValueText.Written("train "),
              new ValueText.Given("{{7*7}}"),
              new ValueText.Output(ROWS)));
  private static final StepSpec STEP =
      new StepSpec(
          "train-1",
          "train",
          Map.of("seed", "1"),
          new StepCommand(List.of(TEXT), true),
          "ab",
          new GitCode(
              new CodeRepository(URI.create("https://example.com/a.git"), "main", "sub", "git"),
              "1c00"),
          "local",
          Parameters.EMPTY,
          1,
          List.of("prepare"),
          Map.of("data", ROWS),
          Map.of("KEY", ValueText.of("secret")),
          Map.of("KFJ_RUN_ID", "r1"),
          List.of(new OutputSpec("model", false, "model")),
          new RetryPolicy(3, Duration.ofSeconds(5), Set.of(RetryPolicy.Cause.LOST)),
          Duration.ofHours(2),
          new Condition(TEXT, Condition.Operator.MORE, ValueText.of("100")),
          Duration.ofDays(7));

  private static StepSpec ofServer(StepWork work) {
    return new StepSpec(
        "done",
        "done",
        Map.of(),
        work,
        null,
        null,
        StepWork.SERVER,
        Parameters.EMPTY,
        null,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        RetryPolicy.NONE,
        null,
        null,
        null);
  }

  private static final RunSpec SPEC =
      new RunSpec(
          RUN,
          "digits",
          2,
          VISION,
          "ann",
          "bob",
          "manual",
          THEN,
          new Parameters(Map.of("epochs", 3)),
          3,
          true,
          List.of(
              STEP,
              ofServer(new StepWork.Search("{}", "/code")),
              ofServer(
                  new StepWork.Registration(
                      new ModelName("digits"),
                      ROWS,
                      null,
                      new VersionName("2"),
                      "onnx",
                      List.of(new ModelAlias("production")))),
              ofServer(new StepWork.Deployment(new ServiceName("digits"), "{}")),
              ofServer(new StepWork.Debugging(new StepCommand(List.of(TEXT), true))),
              ofServer(new StepWork.Approval(TEXT, List.of("bob")))),
          STEP,
          new RunAlerts(
              List.of(RunStatus.FAILED),
              "hook",
              List.of("ann@example.com"),
              List.of(DueAlert.LATE),
              RunAlerts.USUALLY_LATE));
  private static final PipelineRuns.AlertDelivery ALERT =
      new PipelineRuns.AlertDelivery(
          "r1-failed-7",
          "FAILED",
          "ann@example.com",
          PipelineRuns.AlertState.WAITING,
          2,
          "answered 503",
          THEN,
          THEN,
          null);
  private static final StepOutput OUTPUT =
      new StepOutput("model", StepOutput.Kind.DIRECTORY, null, "ab", 10);
  private static final PipelineRuns.Run VIEW =
      new PipelineRuns.Run(
          RUN,
          "digits",
          2,
          VISION,
          "bob",
          "ann",
          "manual",
          null,
          Parameters.EMPTY,
          RunStatus.FAILED,
          THEN,
          THEN,
          null,
          "why");
  private static final PipelineRuns.Step SHOWN =
      new PipelineRuns.Step(
          "train-1",
          "train",
          Map.of("seed", "1"),
          "local",
          StepStatus.CACHED,
          "why",
          2,
          THEN,
          THEN,
          1,
          List.of(OUTPUT),
          RUN,
          "1c00");
  private static final Templates.Template TEMPLATE =
      new Templates.Template(NAME, VISION, "ann", "{}", true, false, THEN, THEN, 3);
  private static final Pipelines.Pipeline PIPELINE =
      new Pipelines.Pipeline(NAME, VISION, "ann", "{}", THEN, THEN, 3);

  private static final List<Record> ALL =
      List.of(
          new PipelineRuns.Create(SPEC),
          new PipelineRuns.Create(SPEC, new PipelineRuns.Taken(List.of("prepare"), RUN)),
          new PipelineRuns.Taken(List.of("prepare"), null),
          new PipelineRuns.Delete(RUN),
          new Pipelines.StartTask(BY, NAME, "train", 2L, "{}", RUN, true),
          new Pipelines.DeleteRun(BY, RUN),
          new Pipelines.Export(BY, NAME, "{}", "python:3.12"),
          new Pipelines.Exported("{\"K\":\"secret\"}", List.of("Odd.")),
          new PipelineRuns.ListRuns(
              List.of(VISION), "digits", "bob", RunStatus.FAILED, "manual", "dig", "7-r1", 10),
          new PipelineRuns.ListRuns(null, null, null, null, null, null, null, 10),
          new PipelineRuns.RunPage(List.of(VIEW), "7-r1"),
          VIEW,
          SHOWN,
          new PipelineRuns.GetRun(RUN),
          new PipelineRuns.AskEnded(THEN, "1-r", 10),
          new PipelineRuns.GetLineage(RUN),
          new PipelineRuns.Use("train-1", "data", new OutputRef("prepare", "data")),
          new PipelineRuns.Lineage(
              List.of(new PipelineRuns.Use("train-1", null, new OutputRef("prepare", "rows")))),
          ALERT,
          new PipelineRuns.RunView(VIEW, List.of(SHOWN), List.of(ALERT)),
          new PipelineRuns.Command(RUN, PipelineRuns.Verb.RETRY, List.of("train")),
          new PipelineRuns.Decide(RUN, "ask", true, "bob", false, "fine"),
          new PipelineRuns.ReadLog(RUN, "train-1", 2, Trials.Stream.STDERR, -5, 10),
          new PipelineRuns.ReadOutput(RUN, "train-1", "model", 3, 10),
          new PipelineRuns.AskPlatforms(),
          new PipelineRuns.CheckService(
              new TrainingServiceSpec("remote", new Parameters(Map.of("awayLimit", 60))),
              1,
              new ResourceOwner(VISION, "ann"),
              true),
          new PipelineRuns.Platforms(
              List.of("local"),
              List.of(new StepCluster("box", StepContainer.PLATFORM)),
              new HostMounts(List.of("/scratch"))),
          new PipelineRuns.Changed(RUN),
          new PipelineRuns.AskUses(NAME, VISION),
          new PipelineRuns.UseOf("train", 12, 310L << 20, 700),
          new PipelineRuns.Uses(List.of(new PipelineRuns.UseOf("train", 1, 7, 0))),
          new PipelineRuns.AskStatuses(List.of(RUN)),
          new PipelineRuns.StatusOf(RUN, RunStatus.PAUSED),
          new PipelineRuns.Statuses(List.of(new PipelineRuns.StatusOf(RUN, RunStatus.PAUSED))),
          TEMPLATE,
          new Templates.ListTemplates(List.of(VISION), "ann", "bob", "xg", "a", 10),
          new Templates.TemplatePage(List.of(TEMPLATE), "digits"),
          new Templates.GetTemplate(NAME),
          new Templates.PutTemplate(BY, NAME, VISION, "{\"K\":\"secret\"}", true, 2L, false),
          new Templates.PutDone(TEMPLATE, Services.Outcome.CHANGED, List.of("Odd.")),
          new Templates.OfTemplate(BY, NAME),
          new Templates.CheckArguments(NAME, "{}"),
          new Templates.Checked(List.of("true")),
          PIPELINE,
          new Pipelines.ListPipelines(null, "ann", "dig", null, 10),
          new Pipelines.PipelinePage(List.of(PIPELINE), null),
          new Pipelines.GetPipeline(NAME),
          new Pipelines.PutPipeline(BY, NAME, VISION, "{\"K\":\"secret\"}", true, null, true),
          new Pipelines.PutDone(null, Services.Outcome.CREATED, List.of()),
          new Pipelines.OfPipeline(BY, NAME),
          new Pipelines.GetAdvice(NAME),
          new Pipelines.TaskAdvice("train", 12, 7, 8, Map.of("memory", "512M"), List.of("Less.")),
          new Pipelines.Advice(
              List.of(new Pipelines.TaskAdvice("train", 1, 7, 0, Map.of(), List.of()))),
          new Pipelines.VersionsOf(NAME, 7L, 100),
          new Pipelines.Version(2, THEN, "ann", "{}"),
          new Pipelines.Versions(List.of(new Pipelines.Version(2, THEN, "ann", "{}")), 2L),
          new Pipelines.Start(BY, NAME, 2L, "{\"epochs\":3}", false, true),
          new Pipelines.Started(RUN, List.of("Odd.")));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record -> assertThat(WireCodecTest.throughTheWire(record)).isEqualTo(record));
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        ALL.stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(PipelineRuns.class, Pipelines.class, Templates.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord)
                // Compared byte by byte, below.
                .filter(record -> record != PipelineRuns.OutputPiece.class))
        .hasSizeGreaterThan(25)
        .allMatch(tried::contains);
  }

  @Test
  void aPieceOfAnOutputComesOutAsItWentIn() {
    PipelineRuns.OutputPiece piece = new PipelineRuns.OutputPiece(OUTPUT, new byte[] {0, 1, -1});

    PipelineRuns.OutputPiece out = (PipelineRuns.OutputPiece) WireCodecTest.throughTheWire(piece);

    assertThat(out.output()).isEqualTo(OUTPUT);
    assertThat(out.bytes()).isEqualTo(piece.bytes());
  }

  @Test
  void aSecretIsNotInTheTextOfARecord() {
    assertThat(ALL.toString()).doesNotContain("secret");
  }
}
