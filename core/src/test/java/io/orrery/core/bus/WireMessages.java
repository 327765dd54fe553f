package io.orrery.core.bus;

import static io.orrery.core.bus.WireValues.ATTEMPT;
import static io.orrery.core.bus.WireValues.CURVE;
import static io.orrery.core.bus.WireValues.EXPERIMENT;
import static io.orrery.core.bus.WireValues.FRESH;
import static io.orrery.core.bus.WireValues.INFINITE;
import static io.orrery.core.bus.WireValues.LEAST;
import static io.orrery.core.bus.WireValues.OBJECT;
import static io.orrery.core.bus.WireValues.PARAMETERS;
import static io.orrery.core.bus.WireValues.POINT;
import static io.orrery.core.bus.WireValues.RUN;
import static io.orrery.core.bus.WireValues.SPACE;
import static io.orrery.core.bus.WireValues.SPEC;
import static io.orrery.core.bus.WireValues.THEN;
import static io.orrery.core.bus.WireValues.TPE;
import static io.orrery.core.bus.WireValues.TRIAL;
import static io.orrery.core.bus.WireValues.VIEW;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Dispatchers;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Incumbents;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A list of the records that experiments, trials, tuners and metrics exchange. */
final class WireMessages {
  private WireMessages() {}

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
        new TrialKeepers.ListFolder(TRIAL, 1, "a", "b", 10),
        new TrialKeepers.Folder(List.of(new TrialKeepers.FolderEntry("c", false, 9)), "c"),
        new TrialKeepers.FolderEntry("d", true, 0),
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
                        new Transfers.Sample(PARAMETERS, null)),
                    Map.of("rate", "lr")))),
        new Transfers.Source(EXPERIMENT, "earlier", List.of(), Map.of()),
        new Transfers.Sample(PARAMETERS, -1.0),
        new Transfers.WorthOf(EXPERIMENT),
        new Transfers.Worths(
            List.of(new Transfers.Worth(EXPERIMENT, "earlier", 50, 48, 0.75, Map.of())), 12),
        new Transfers.Worth(EXPERIMENT, null, 50, 0, 0, Map.of("rate", "lr")),
        new Incumbents.IncumbentOf(EXPERIMENT),
        new Incumbents.Incumbent(PARAMETERS, List.of(TRIAL.trial()), 0.25),
        Incumbents.Incumbent.NONE,
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
}
