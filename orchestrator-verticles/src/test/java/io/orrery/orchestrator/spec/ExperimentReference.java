package io.orrery.orchestrator.spec;

import io.orrery.compute.adl.AdaptDlSection;
import io.orrery.compute.aml.AmlSection;
import io.orrery.compute.dlc.DlcSection;
import io.orrery.compute.dlts.DltsSection;
import io.orrery.compute.frameworkcontroller.FrameworkSection;
import io.orrery.compute.hybrid.HybridSection;
import io.orrery.compute.kubeflow.KubeflowSection;
import io.orrery.compute.kubernetes.ClusterSection;
import io.orrery.compute.kubernetes.KubernetesSection;
import io.orrery.compute.local.LocalSection;
import io.orrery.compute.openpai.OpenPaiSection;
import io.orrery.compute.remote.RemoteSection;
import io.orrery.compute.simulated.SimulatedSection;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.json.Json;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of reference about the experiment file, as the schemas say it. */
final class ExperimentReference {
  private static final String HEAD =
      """
      # Reference: the experiment file

      Made from the program's own schemas; a test compares. [Configuration](../configuration.md) explains, and has the search
      space.

      Keys are found whatever their case and underscores (`maxTrialNumber`, `max_trial_number`). The last column names
      the key of NNI's version 1 that becomes this one. A time is a number of seconds or a text such as `90s`, `10m`,
      `1.5h`, `2d`. A relative directory starts from the file. A secret is `env:NAME`, `file:/path`, or itself: then it is
      sealed before it is stored, and never shown.
      """;

  private ExperimentReference() {}

  static String page() {
    return HEAD
        + section("The top level, keys of NNI", "", ExperimentSchema.NNI)
        + section("The top level, keys of ours", "", ExperimentSchema.OURS)
        + """

        `experimentType` can be `hpo` only.
        """
        + section("`tuner`, `assessor`, `advisor`", "tuner", AlgorithmSchema.SCHEMA)
        + section(
            "`trainingService` with `platform: local`", "trainingService", LocalSection.SCHEMA)
        + section(
            "`trainingService` with `platform: remote`", "trainingService", RemoteSection.SCHEMA)
        + section("An element of `machineList`", "machineList", RemoteSection.MACHINE)
        + section(
            "`trainingService` with `platform: kubernetes`",
            "trainingService",
            KubernetesSection.SCHEMA)
        + section(
            "`trainingService` with `platform: kubeflow`",
            "trainingService",
            KubeflowSection.SCHEMA)
        + section(
            "A role: `chief`, `master`, `worker`, `ps`, `evaluator`", "role", ClusterSection.ROLE)
        + section(
            "`trainingService` with `platform: frameworkcontroller`",
            "trainingService",
            FrameworkSection.SCHEMA)
        + section("An element of `taskRoles`", "taskRoles", FrameworkSection.TASK_ROLE)
        + section("`frameworkAttemptCompletionPolicy`", "completion", FrameworkSection.COMPLETION)
        + section(
            "`trainingService` with `platform: adl`", "trainingService", AdaptDlSection.SCHEMA)
        + section("`checkpoint`", "checkpoint", AdaptDlSection.CHECKPOINT)
        + section("`nfs` of `adl`", "nfs", AdaptDlSection.NFS)
        + section("`storage`", "storage", ClusterSection.STORAGE)
        + section(
            "`trainingService` with `platform: openpai`", "trainingService", OpenPaiSection.SCHEMA)
        + section("`trainingService` with `platform: dlts`", "trainingService", DltsSection.SCHEMA)
        + section("`trainingService` with `platform: aml`", "trainingService", AmlSection.SCHEMA)
        + section("`trainingService` with `platform: dlc`", "trainingService", DlcSection.SCHEMA)
        + section(
            "`trainingService` with `platform: hybrid`, or as a list",
            "trainingService",
            HybridSection.SCHEMA)
        + section("An element of `services`, or of the list", "services", HybridSection.SHARE)
        + section(
            "`trainingService` with `platform: simulated`",
            "trainingService",
            SimulatedSection.SCHEMA)
        + section("`retry`", "retry", ExperimentSchema.RETRY)
        + retry()
        + section("`metricRetention`", "metricRetention", ExperimentSchema.RETENTION)
        + section("An element of `objectives`", "objectives", ExperimentSchema.OBJECTIVE)
        + section("`sharedStorage`", "sharedStorage", SharedStorageSchema.SCHEMA);
  }

  private static String section(String title, String at, Schema schema) {
    return schema.fields().stream()
        .map(field -> row(field, (at.isEmpty() ? "/" : "/" + at + "/") + field.name()))
        .collect(
            Collectors.joining(
                "\n",
                """

                ## %s

                | key | type | default | meaning | in version 1 |
                |---|---|---|---|---|
                """
                    .formatted(title),
                "\n"));
  }

  private static String row(Field field, String pointer) {
    String meaning =
        field.inert() == null
            ? field.meaning()
            : field.meaning() + "; no effect: " + field.inert().replaceAll("\\.$", "");
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(field.name(), type(field.type()), standard(field), meaning, versionOne(pointer));
  }

  private static String standard(Field field) {
    if (field.standard() != null) {
      return "`" + Json.write(field.standard()).replace("\"", "") + "`";
    }
    return field.required() ? "required" : "";
  }

  private static String type(ValueType type) {
    return switch (type) {
      case ValueType.Text _ -> "text";
      case ValueType.Secret _ -> "secret";
      case ValueType.Word word -> "one of " + quoted(word.words());
      case ValueType.Whole whole -> "whole number" + bounds(whole);
      case ValueType.Above above -> "number above " + above.bound();
      case ValueType.Between between -> "number" + bounds(between);
      case ValueType.Flag _ -> "`true` or `false`";
      case ValueType.Span _ -> "time";
      case ValueType.Directory directory ->
          directory.mustExist() ? "directory that exists" : "directory";
      case ValueType.File _ -> "file that exists";
      case ValueType.Size _ -> "memory: a number of megabytes, or a text such as `2gb`";
      case ValueType.GpuIndices _ -> "GPU numbers: `[0, 2]`, `\"0,2\"` or `2`";
      case ValueType.AnyObject _ -> "object";
      case ValueType.Transfer _ ->
          "`auto`, `off`, or a list of ids of experiments, or of `{id: …, rename: {…}}`";
      case ValueType.Anything _ -> "object";
      case ValueType.Section _ -> "section, below";
      case ValueType.ListOf list -> "list of: " + type(list.element());
    };
  }

  private static String bounds(ValueType.Whole whole) {
    boolean fromBelow = whole.least() > Long.MIN_VALUE;
    boolean toAbove = whole.most() < Integer.MAX_VALUE;
    return (fromBelow ? ", from " + whole.least() : "") + (toAbove ? " to " + whole.most() : "");
  }

  private static String bounds(ValueType.Between between) {
    return ", from "
        + between.least()
        + (between.most() < Double.MAX_VALUE ? " to " + between.most() : "");
  }

  private static String versionOne(String pointer) {
    return Stream.concat(Stream.of(""), V1Keys.SECTIONS.stream())
        .flatMap(section ->
            V1Keys.moves(section).entrySet().stream()
                .filter(move -> move.getValue().equals(pointer))
                .map(move -> (section.isEmpty() ? "" : section + ".") + move.getKey()))
        .findFirst()
        .map(key -> "`" + key + "`")
        .orElse("");
  }

  private static String retry() {
    RetryPolicy none = RetryPolicy.NONE;
    return """

    What is left out is `attempts: %d`, `backoff: %ds` and all causes. The pause doubles with every further attempt, up to an
    hour.
    """
        .formatted(none.attempts(), none.backoff().toSeconds());
  }

  private static String quoted(List<String> words) {
    return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }
}
