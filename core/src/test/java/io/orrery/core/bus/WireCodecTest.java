package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Dispatchers;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.Share;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every record that travels arrives as it was sent. */
class WireCodecTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final ExperimentId EXPERIMENT = new ExperimentId("abcd1234");
  private static final TrialRef TRIAL = new TrialRef(EXPERIMENT, new TrialId("t0001"));
  private static final AttemptRef ATTEMPT = new AttemptRef(TRIAL, 2);
  private static final Parameters PARAMETERS = parameters();
  private static final SearchSpace SPACE =
      new SearchSpace(
          Map.of(
              "opt",
              new Dimension.Choice(
                  List.of(
                      new Dimension.Branch(
                          "sgd", new SearchSpace(Map.of("lr", new Dimension.Uniform(0, 1)))),
                      new Dimension.Branch("none", SearchSpace.EMPTY)))));
  private static final AlgorithmSpec TPE = new AlgorithmSpec("TPE", null, null, PARAMETERS);
  private static final ExperimentSpec SPEC =
      new ExperimentSpec(
          ExperimentDescription.named(null),
          new SearchSpec(
              SPACE,
              TPE,
              new AlgorithmSpec(null, "a.B", "/mine", Parameters.EMPTY),
              Objectives.of(Direction.MINIMIZE),
              -7L),
          new JobSpec(
              "ls",
              "/code",
              0,
              true,
              false,
              new TrainingServiceSpec("local", PARAMETERS),
              null,
              MetricPolicy.STANDARD),
          ExperimentLimits.of(2, 10L)
              .withDurations(Duration.ofHours(1), null)
              .withRetry(
                  new RetryPolicy(3, Duration.ofMillis(1_500), Set.of(RetryPolicy.Cause.LOST))));
  private static final ExperimentSpec LEAST =
      new ExperimentSpec(
          ExperimentDescription.named("n"),
          SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, Long.MAX_VALUE),
          JobSpec.of("ls", "/", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
          new ExperimentLimits(
              1,
              3,
              Share.EQUAL,
              null,
              null,
              Duration.ofSeconds(5),
              RetryPolicy.NONE,
              FailureLimits.STANDARD));
  private static final MetricValue OBJECT = new MetricValue(Double.NaN, "{\"loss\":1}");
  private static final MetricPoint POINT =
      new MetricPoint(ATTEMPT, "file", 3, MetricKind.FINAL, 0, null, THEN.toEpochMilli(), OBJECT);
  private static final MetricPoint INFINITE =
      new MetricPoint(
          ATTEMPT,
          "file",
          4,
          MetricKind.INTERMEDIATE,
          1,
          "7",
          0,
          MetricValue.of(Double.NEGATIVE_INFINITY));
  private static final Metrics.Curve CURVE =
      new Metrics.Curve(
          2,
          new long[] {0, 7},
          new double[] {0.5, Double.NaN},
          new long[] {THEN.toEpochMilli(), 0},
          POINT,
          9);
  private static final Experiment VIEW =
      new Experiment(
          EXPERIMENT,
          ResourceOwner.PUBLIC,
          SPEC,
          ExperimentStatus.NO_MORE_TRIAL,
          Map.of(TrialStatus.SUCCEEDED, 3L),
          2,
          new Experiment.Best(TRIAL.trial(), OBJECT, PARAMETERS),
          1.5,
          THEN,
          THEN,
          null,
          null);
  private static final Experiment FRESH =
      new Experiment(
          EXPERIMENT,
          ResourceOwner.PUBLIC,
          LEAST,
          ExperimentStatus.INITIALIZED,
          Map.of(),
          0,
          null,
          0,
          THEN,
          null,
          THEN,
          "why");
  private static final Trial RUN =
      new Trial(
          TRIAL,
          4,
          TrialStatus.RUNNING,
          null,
          2,
          List.of(
              new ParameterSet(0, "h-1", ParameterSource.ALGORITHM, PARAMETERS),
              new ParameterSet(1, null, ParameterSource.CUSTOMIZED, Parameters.EMPTY)),
          MetricValue.of(Double.POSITIVE_INFINITY),
          null,
          "/dir",
          THEN,
          THEN,
          null,
          List.of("best"));

  private static Parameters parameters() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("lr", 0.1);
    values.put("n", 3);
    values.put("big", 1L << 40);
    values.put("nothing", null);
    values.put("branch", Map.of("_name", "x", "list", List.of(1, "a", true)));
    return new Parameters(values);
  }

  static List<Record> everything() {
    return List.of(
        Experiments.Create.unowned("trialCommand: ls", "/base", false, EXPERIMENT),
        Experiments.Create.unowned("", null, true, null),
        new Experiments.Created(VIEW, SPEC, List.of("a notice")),
        new Experiments.Created(null, LEAST, List.of()),
        new Experiments.Convert("trialCommand: ls"),
        new Experiments.Converted("{}", List.of("a change")),
        new Experiments.Restore(
            Experiments.Create.unowned("trialCommand: ls", "/base", false, EXPERIMENT),
            ExperimentStatus.DONE,
            1.5,
            THEN,
            THEN,
            null,
            List.of(RUN),
            List.of(POINT, INFINITE),
            List.of(
                new Annotations.Brought(null, Annotations.Annotation.NONE),
                new Annotations.Brought(
                    TRIAL.trial(), new Annotations.Annotation("a note", List.of("a tag"), THEN)))),
        new Experiments.Get(EXPERIMENT),
        new Experiments.GetOwnership(EXPERIMENT),
        Experiments.ListAll.of(null, 100),
        Experiments.ListAll.of("cursor", 1),
        new Experiments.Page(List.of(VIEW, FRESH), "next"),
        new Experiments.Page(List.of(), null),
        new Experiments.Change(EXPERIMENT, "{}"),
        new Experiments.Command(EXPERIMENT, Experiments.Action.RESUME),
        new Experiments.Delete(EXPERIMENT),
        new Experiments.Deleted(VIEW, List.of("Its pods may be left.")),
        new TrainingServices.Check(
            "trialCommand: ls", "/code", new ResourceOwner(new ProjectName("vision"), "ann"), true),
        new TrainingServices.Checked(
            "kubeflow",
            List.of(
                TrainingServices.Item.good("API server", "v1.36"),
                TrainingServices.Item.bad("quota", "no room", "ask for more")),
            List.of("a notice")),
        new TrainingServices.AskMachines(EXPERIMENT),
        new TrainingServices.Machines(
            List.of(
                new TrainingServices.Machine(
                    "remote",
                    "me@gpu1:22",
                    "hung up",
                    THEN,
                    THEN,
                    List.of(TRIAL.trial()),
                    2,
                    1,
                    new TrainingServices.Gpus(
                        THEN,
                        "no nvidia-smi",
                        List.of(new TrainingServices.Gpu(0, "A100", 40_960L, 1, "odd")),
                        3)))),
        new Simulations.Rehearse("trialCommand: ls", null, 10, ResourceOwner.PUBLIC, false),
        new Simulations.Rehearsed(
            SPEC,
            List.of(
                new Simulations.Run(
                    -3,
                    ExperimentStatus.DONE,
                    null,
                    Map.of(TrialStatus.FAILED, 2L),
                    3,
                    7.5,
                    6,
                    new Simulations.Best(OBJECT, PARAMETERS, 1.25)),
                new Simulations.Run(0, ExperimentStatus.ERROR, "why", Map.of(), 0, 0, 0, null)),
            List.of("a notice")),
        new Trials.Get(TRIAL),
        new Trials.ListSome(EXPERIMENT, TrialStatus.FAILED, "-metric", "lr", "c", 5),
        new Trials.ListSome(EXPERIMENT, null, null, null, null, 5),
        new Trials.ListSome(
            EXPERIMENT,
            null,
            "-metric.loss",
            null,
            List.of(
                new TrialCondition(
                    TrialField.Standard.METRIC, TrialCondition.Comparison.MORE, List.of(0.5)),
                new TrialCondition(
                    TrialField.parse("parameters.a b"),
                    TrialCondition.Comparison.EQUAL,
                    List.of("x", 2.0)),
                new TrialCondition(
                    TrialField.metric("loss"), TrialCondition.Comparison.UNEQUAL, List.of(1.0))),
            null,
            7L,
            true,
            5),
        new Trials.Page(List.of(RUN), null),
        new Trials.Page(List.of(), "next", 7L),
        new Trials.Add(EXPERIMENT, PARAMETERS),
        new Trials.Checked(List.of("Odd.")),
        new Trials.Import(EXPERIMENT, "[]"),
        new Trials.Imported(2, 1, List.of("Odd.")),
        new Trials.Cancel(TRIAL),
        new Trials.Retry(TRIAL),
        new Trials.NextOf(ATTEMPT, 3),
        new Trials.Next(null),
        new Trials.Next(
            new ParameterSet(3, "7", ParameterSource.ALGORITHM, PARAMETERS, MetricValue.of(0.5))),
        new Trials.ReadLog(TRIAL, 1, Trials.Stream.STDERR, -100, 1_000),
        new Trials.ReadLog(TRIAL, null, Trials.Stream.TRIAL, 0, 1),
        new Trials.LogPiece("\u0000ÿ".getBytes(StandardCharsets.ISO_8859_1), 2, true),
        new TrialKeepers.Start(new AttemptRef(TRIAL, 2), "worker-0", "a1", true, "1"),
        new TrialKeepers.Done(),
        new TrialKeepers.GetParameters(new AttemptRef(TRIAL, 2)),
        new TrialKeepers.ParameterFile("{}"),
        new TrialKeepers.Beat(new AttemptRef(TRIAL, 2), "worker-0", "a1"),
        new TrialKeepers.Orders(true, List.of("http://10.0.0.2:8080")),
        new TrialKeepers.AppendLog(
            new AttemptRef(TRIAL, 1), "main", Trials.Stream.STDOUT, 7, new byte[] {0, -1}),
        new TrialKeepers.AppendOutput(
            new AttemptRef(TRIAL, 1), "main", "a/b", 7, 9, new byte[] {0, -1}),
        new TrialKeepers.Appended(9),
        new TrialKeepers.End(new AttemptRef(TRIAL, 1), "main", "a1", 137, "killed"),
        new TrialKeepers.End(new AttemptRef(TRIAL, 1), "main", "a1", 0, null),
        new TrialKeepers.AppendLine(new AttemptRef(TRIAL, 1), Trials.Stream.STDERR, "line"),
        new TrialKeepers.Note(new AttemptRef(TRIAL, 1), "odd"),
        new TrialKeepers.ReadCode(EXPERIMENT, "ab".repeat(32), 0, 1_000),
        new TrialKeepers.Piece(new byte[] {1}, 1, 2),
        new TrialKeepers.ListFiles(TRIAL, null),
        new TrialKeepers.FileList(List.of(new TrialKeepers.StoredFile("a/b", 9)), true),
        new TrialKeepers.StoredFile("a", 0),
        new TrialKeepers.ReadFile(TRIAL, 1, "a/b", 0, 1_000),
        new TrialKeepers.Canceled(new AttemptRef(TRIAL, 3)),
        new TrialKeepers.Offered(new AttemptRef(TRIAL, 1)),
        new TrialKeepers.AskWork(
            new AttemptRef(TRIAL, 1), "main", "a1", 7, List.of("t.1"), Map.of("u.1", 3)),
        new TrialKeepers.Order("t.1", Map.of("NNI_PLATFORM", "kubernetes"), "token"),
        new TrialKeepers.Work(List.of(new TrialKeepers.Order("t.1", Map.of(), "token"))),
        new Trials.ReadHistory(EXPERIMENT, 0, 10_000),
        new Trials.History(
            List.of(
                new Trials.Suggested(1, "1", PARAMETERS),
                new Trials.Settled(
                    2, TRIAL.trial(), null, PARAMETERS, TrialStatus.EARLY_STOPPED, null))),
        new Trials.Suggested(3, null, Parameters.EMPTY),
        new Trials.PointsOf(EXPERIMENT, null, null, 2_000),
        new Trials.PointsOf(EXPERIMENT, "loss", Direction.MINIMIZE, 2_000),
        new Trials.Points(
            7,
            List.of("default", "loss"),
            List.of("a", "b"),
            List.of(0L, 1L),
            List.of(TrialStatus.SUCCEEDED, TrialStatus.RUNNING),
            Arrays.asList(0.5, null),
            Arrays.asList(0.5, null),
            Arrays.asList(null, null),
            Arrays.asList(1.5, null),
            Map.of("lr", Arrays.asList(0.1, null))),
        new Trials.FrontOf(EXPERIMENT, 100),
        new Trials.ParetoFront(
            List.of(new Objective("latency", Direction.MINIMIZE)),
            List.of(new Trials.FrontMember(TRIAL.trial(), 3, List.of(0.5), PARAMETERS)),
            1,
            7),
        new Trials.FrontMember(TRIAL.trial(), 3, List.of(0.5, 1e300), Parameters.EMPTY),
        new Trials.Settled(4, TRIAL.trial(), "2", PARAMETERS, TrialStatus.SUCCEEDED, OBJECT),
        new Trials.Settled(
            5,
            TRIAL.trial(),
            "2",
            PARAMETERS,
            TrialStatus.SUCCEEDED,
            OBJECT,
            Duration.ofMillis(1_250)),
        new Dispatchers.Arrived("a-1", EXPERIMENT, null),
        new Dispatchers.Arrived("a-2", null, "5ec12e7"),
        new Dispatchers.Said("a-1", "{\"type\":\"ID\"}"),
        new Dispatchers.Left("a-1"),
        new Dispatchers.Tell("a-1", "{\"type\":\"GE\",\"content\":\"2\"}"),
        new Dispatchers.Part("a-1"),
        new Dispatchers.Done(),
        new Tuners.Check("tuner", TPE, SPACE, 2),
        new Tuners.Checked(List.of(new Finding("/tuner", "odd", 3)), "TPE", Direction.MINIMIZE),
        new Tuners.Checked(List.of(new Finding("", "odd")), null, null),
        new Tuners.Open(
            EXPERIMENT, TPE, TPE, SPACE, Objectives.of(Direction.MINIMIZE), 1, 0, "a.1.1", 1),
        new Tuners.Open(
            EXPERIMENT, TPE, null, SPACE, Objectives.of(Direction.MAXIMIZE), 42, 7, "a.3.2", 3),
        new Tuners.Open(
            EXPERIMENT,
            TPE,
            null,
            SPACE,
            Objectives.of(Direction.MAXIMIZE),
            42,
            7,
            "a.3.3",
            3,
            new TrialCost("energy", 100L, Duration.ofHours(8))),
        new Tuners.Opened(0),
        new Tuners.Ask(EXPERIMENT, 3, 12),
        new Tuners.Suggestions(List.of(new Tuners.Suggestion("12", PARAMETERS)), true),
        new Tuners.Suggestions(List.of(), false, true),
        new Tuners.Suggestion("13", Parameters.EMPTY),
        new Tuners.Tell(
            EXPERIMENT,
            List.of(
                new Trials.Settled(
                    4, TRIAL.trial(), "2", PARAMETERS, TrialStatus.SUCCEEDED, OBJECT))),
        new Tuners.Told(),
        new Tuners.Assess(ATTEMPT, "7"),
        new Tuners.Assessed("Medianstop: lags behind"),
        new Tuners.Assessed(null),
        new Tuners.Close(EXPERIMENT),
        new Transfers.SourcesOf(EXPERIMENT),
        new Transfers.Sources(
            List.of(
                new Transfers.Source(
                    EXPERIMENT,
                    null,
                    List.of(
                        new Transfers.Sample(PARAMETERS, 0.25),
                        new Transfers.Sample(PARAMETERS, null))))),
        new Transfers.Source(EXPERIMENT, "earlier", List.of()),
        new Transfers.Sample(PARAMETERS, -1.0),
        new Transfers.WorthOf(EXPERIMENT),
        new Transfers.Worths(List.of(new Transfers.Worth(EXPERIMENT, "earlier", 50, 48, 0.75)), 12),
        new Transfers.Worth(EXPERIMENT, null, 50, 0, 0),
        new Tuners.ImportanceOf(EXPERIMENT),
        new Tuners.Importances(
            List.of(new Tuners.Importance("opt/sgd/lr", 1)), "fanova", 2_000, 9_000, null),
        new Tuners.Importances(List.of(), "fanova", 1, 1, "too few"),
        new Tuners.Importance("lr", 0.25),
        new Tuners.ListAll(),
        new Tuners.Catalogue(
            List.of(
                new Tuners.Algorithm(
                    "TPE",
                    List.of("tpe"),
                    "tuner",
                    "Parzen",
                    Map.of("choice", true, "nested", false),
                    true,
                    List.of(new Tuners.Argument("seed", "integer", null, "of its draws"))))),
        new Tuners.Algorithm("X", List.of(), "assessor", "", Map.of(), false, List.of()),
        new Tuners.Registration("mine", "tuner", "walk.Walk", null, PARAMETERS),
        new Tuners.Unregister("mine"),
        new Tuners.Argument("gamma", "number", "0.25", "the quantile"),
        new Metrics.Append(List.of(POINT, INFINITE)),
        new Metrics.FinalOf(ATTEMPT),
        new Metrics.Final(POINT),
        new Metrics.Final(null),
        new Metrics.SeriesOf(TRIAL, 2, null),
        new Metrics.SeriesOf(TRIAL, 500, "loss", 3, 9),
        new Metrics.Series(List.of(INFINITE), POINT, 9),
        new Metrics.Series(List.of(), null, 0),
        new Metrics.CurvesOf(List.of(TRIAL), 500, 3, 9),
        new Metrics.Curves(List.of(CURVE)),
        CURVE,
        new Metrics.LatestOf(TRIAL.experiment(), List.of(TRIAL.trial())),
        new Metrics.Latest(
            List.of(new Metrics.Ends(INFINITE, POINT), new Metrics.Ends(null, null))),
        new Metrics.Ends(POINT, null),
        new Metrics.PointsSince(TRIAL, null, 100),
        new Metrics.PointsSince(TRIAL, "1.0.7", 100),
        new Metrics.Stretch(List.of(POINT, INFINITE), "1.0.7"),
        new Metrics.Stretch(List.of(), null),
        new Metrics.Scrape(),
        new Metrics.Scraped("orrery_metric_points_total 1.0\n"),
        new Metrics.Forget(EXPERIMENT),
        new Metrics.Forgotten(),
        new Metrics.Stored(EXPERIMENT, List.of(POINT)),
        new Metrics.StoredFinals(List.of(POINT)),
        new MetricSink.Receipt(3, 4),
        new ExperimentEvent.Changed(VIEW),
        new ExperimentEvent.TrialChanged(RUN),
        new ExperimentEvent.TrialWithdrawn(TRIAL),
        VIEW,
        FRESH,
        RUN,
        SPEC,
        LEAST,
        POINT,
        OBJECT);
  }

  static Stream<Record> answers() {
    return Stream.concat(
        everything().stream().map(Answer.Given::new),
        Stream.<Problem>of(
                new Problem.Refused(
                    "two", List.of(new Finding("/a", "b", 1), new Finding("", "c"))),
                new Problem.NotFound("x"),
                new Problem.Conflict("x"),
                new Problem.Unauthorized("x"),
                new Problem.Forbidden("x"),
                new Problem.TooLarge("x"),
                new Problem.Busy("x", Duration.ofMillis(1_250)),
                new Problem.Unavailable("x", Duration.ofSeconds(2)),
                new Problem.Broken("x"))
            .map(Answer.Declined::new));
  }

  @ParameterizedTest
  @MethodSource({"everything", "answers"})
  void whatIsSentArrives(Record sent) {
    Record arrived = (Record) throughTheWire(sent);

    assertThat(arrived)
        .usingRecursiveComparison()
        .withEqualsForType(Double::equals, Double.class)
        .isEqualTo(sent);
    assertThat(arrived).hasSameClassAs(sent);
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        everything().stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(
                    Experiments.class,
                    Trials.class,
                    Tuners.class,
                    Metrics.class,
                    TrialKeepers.class,
                    Dispatchers.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord))
        .hasSizeGreaterThan(35)
        .allMatch(tried::contains);
  }

  @Test
  void equalRecordsStayEqual() {
    assertThat(throughTheWire(VIEW)).isEqualTo(VIEW);
    assertThat(throughTheWire(RUN)).isEqualTo(RUN);
    assertThat(throughTheWire(SPEC)).isEqualTo(SPEC);
  }

  @Test
  void aForeignClassIsRefused() {
    for (String name :
        List.of(
            "java.io.File", "io.vertx.core.Vertx", "io.orrery.corex.X", "io.orrery.core.None")) {
      assertThatThrownBy(() -> decode(name, new byte[] {(byte) 0xA0}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void aClassOfOursThatIsNoMessageIsRefused() {
    assertThatThrownBy(() -> decode("io.orrery.core.json.Json", new byte[] {(byte) 0xA0}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aForeignClassInsideAnAnswerIsRefused() {
    String json = "{\"type\":\"given\",\"value\":{\"@class\":\"java.util.Date\"}}";
    byte[] cbor = cborOf(json);

    assertThatThrownBy(() -> decode(Answer.Given.class.getName(), cbor))
        .hasMessageContaining("java.util.Date");
  }

  private static byte[] cborOf(String json) {
    try {
      return new CBORMapper().writeValueAsBytes(Json.parse(json));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static Object decode(String type, byte[] body) {
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    Buffer buffer =
        Buffer.buffer()
            .appendInt(name.length)
            .appendBytes(name)
            .appendInt(body.length)
            .appendBytes(body);
    return new WireCodec().decodeFromWire(0, buffer);
  }

  static Object throughTheWire(Object message) {
    WireCodec codec = new WireCodec();
    Buffer buffer = Buffer.buffer("before");
    codec.encodeToWire(buffer, message);
    buffer.appendString("after");
    return codec.decodeFromWire("before".length(), buffer);
  }
}
