package io.orrery.orchestrator.spec;

import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The top level of an experiment file: NNI's v3 keys, then ours. */
final class ExperimentSchema {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType ALGORITHM = new ValueType.Section(AlgorithmSchema.SCHEMA);

  /** Exact in a JSON number of any client. */
  private static final long MOST_TRIALS = 1L << 53;

  static final Field TRIAL_CONCURRENCY =
      Field.of(
              "trialConcurrency",
              new ValueType.Whole(1, Integer.MAX_VALUE),
              "how many trials may run at once")
          .asRequired();

  static final Field MAX_TRIAL_NUMBER =
      Field.of(
          "maxTrialNumber", new ValueType.Whole(1, MOST_TRIALS), "how many trials there may be");

  static final Field MAX_EXPERIMENT_DURATION =
      Field.of("maxExperimentDuration", new ValueType.Span(), "after which no trial starts");

  static final Field MAX_FAILED_TRIALS =
      Field.of(
          "maxFailedTrials",
          new ValueType.Whole(1, MOST_TRIALS),
          "how many trials may fail in all before the experiment ends with an error; unlimited"
              + " when it is not set");

  static final Field MAX_FAILURES_IN_ROW =
      Field.of(
          "maxFailuresInRow",
          new ValueType.Whole(1, MOST_TRIALS),
          "how many trials may fail one after the other before the experiment ends with an error;"
              + " when it is not set, 20 (or trialConcurrency, if that is more) until one trial has"
              + " succeeded, and no limit from then on");

  static final Field SEARCH_SPACE =
      Field.of("searchSpace", new ValueType.Anything(), "the parameters to vary");

  static final Schema RETRY =
      Schema.of(
          Field.of("attempts", new ValueType.Whole(1, 100), "how many runs a trial may have"),
          Field.of("backoff", new ValueType.Span(), "the pause before the second run"),
          Field.of(
              "on",
              new ValueType.ListOf(new ValueType.Word(List.of("failed", "lost"))),
              "what is worth another run"));

  static final Schema RETENTION =
      Schema.of(
          Field.of(
                  "intermediate",
                  new ValueType.Span(),
                  "how long every intermediate result is kept")
              .asRequired(),
          Field.of(
                  "rollup",
                  new ValueType.Whole(4, 100_000),
                  "about how many of each metric of a trial are left of what is older")
              .or(MetricPolicy.STANDARD_ROLLUP));

  static final Schema OBJECTIVE =
      Schema.of(
          Field.of("metric", TEXT, "the entry of a result; default is the result itself")
              .asRequired(),
          Field.of(
                  "goal",
                  new ValueType.Word(List.of("maximize", "minimize")),
                  "maximize or minimize")
              .asRequired());

  static final Schema NNI =
      Schema.of(
          Field.of("experimentName", new ValueType.Text(1_000), "a label"),
          Field.of("experimentType", new ValueType.Word(List.of("hpo", "nas")), "what is searched")
              .or("hpo"),
          Field.of("searchSpaceFile", TEXT, "a file with the parameters to vary"),
          SEARCH_SPACE,
          Field.of("trialCommand", TEXT, "the shell command of a trial"),
          Field.of(
              "trialCodeDirectory",
              new ValueType.Directory(true),
              "where the trial's code lies; the file's own folder when it is not set"),
          TRIAL_CONCURRENCY,
          Field.of(
              "trialGpuNumber",
              new ValueType.Whole(0, Integer.MAX_VALUE),
              "how many GPUs a trial needs"),
          MAX_EXPERIMENT_DURATION,
          MAX_TRIAL_NUMBER,
          Field.of("maxTrialDuration", new ValueType.Span(), "after which a trial is ended"),
          Field.of("nniManagerIp", TEXT, "the address that trials call back"),
          Field.of("useAnnotation", FLAG, "whether the space is in the trial's code").or(false),
          Field.of("debug", FLAG, "whether to check less and log more").or(false),
          Field.of(
                  "logLevel",
                  new ValueType.Word(
                      List.of("fatal", "error", "warning", "info", "debug", "trace")),
                  "how much the manager logs")
              .without("the server's own logging counts."),
          Field.of(
                  "experimentWorkingDirectory",
                  new ValueType.Directory(false),
                  "where NNI keeps an experiment's files")
              .or("~/nni-experiments")
              .without("an experiment's files lie in the server's home."),
          Field.of("tunerGpuIndices", new ValueType.GpuIndices(), "GPUs of the tuner")
              .without("tuners run without GPUs in this version."),
          Field.of("tuner", ALGORITHM, "what suggests parameters"),
          Field.of("assessor", ALGORITHM, "what ends hopeless trials"),
          Field.of("advisor", ALGORITHM, "a tuner that assesses as well"),
          Field.of(
                  "trainingService",
                  new ValueType.Anything(),
                  "where trials run, such as {platform: local}")
              .asRequired(),
          Field.of(
              "sharedStorage",
              new ValueType.Section(SharedStorageSchema.SCHEMA),
              "storage that trials share with the server; not with those of local"));

  static final Schema OURS =
      Schema.of(
          Field.of("seed", new ValueType.Whole(Long.MIN_VALUE, Long.MAX_VALUE), "of the search"),
          Field.of("retry", new ValueType.Section(RETRY), "when a trial is run again"),
          MAX_FAILED_TRIALS,
          MAX_FAILURES_IN_ROW,
          Field.of(
              "priority",
              new ValueType.Whole(0, 100),
              "whose trials are handed to a platform first, 50 unless said"),
          Field.of(
              "weight",
              new ValueType.Above(0),
              "its share among experiments of the same priority, 1 unless said"),
          Field.of("quota", new ValueType.Whole(1, Integer.MAX_VALUE), "most trials in flight"),
          Field.of("parametersAsArguments", FLAG, "whether the command gets --name=value"),
          Field.of(
              "multiPhase", FLAG, "whether a trial may ask for one parameter set after another"),
          Field.of(
              "multiThread",
              FLAG,
              "whether a tuner of your own makes each parameter set in a thread of its own"),
          Field.of(
              "objectives",
              new ValueType.ListOf(new ValueType.Section(OBJECTIVE)),
              "what is to be better; the first decides where one number must"),
          Field.of(
              "constraints",
              new ValueType.ListOf(new ValueType.Text()),
              "conditions on parameters that every trial meets, such as batch * hidden <= 65536"),
          Field.of(
              "transfer",
              new ValueType.Transfer(),
              "which earlier experiments of the project Auto learns from; off unless said"),
          Field.of(
              "cost",
              new ValueType.Text(256),
              "what trials cost, which Auto takes into account: duration, or a metric they report"),
          Field.of(
              "project",
              new ValueType.Text(50),
              "the project that it is created in; ?project= and --project have precedence"),
          Field.of(
              "metricRetention", new ValueType.Section(RETENTION), "how long metrics are kept"),
          Field.of(
              "readEventFiles",
              FLAG,
              "whether TensorBoard files that trials write are read into their metrics"));

  static final Schema ROOT = NNI.and(OURS);

  private ExperimentSchema() {}
}
