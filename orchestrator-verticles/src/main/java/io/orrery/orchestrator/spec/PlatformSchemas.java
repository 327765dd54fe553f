package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of all platforms, and the schemas of those that can be read. */
final class PlatformSchemas {
  /** What every platform takes: its name and NNI's five inherited shortcuts. */
  static final Schema COMMON =
      Schema.of(
          Field.of("platform", new ValueType.Text(), "where trials run"),
          Field.of("trialCommand", new ValueType.Text(), "the shell command of a trial"),
          Field.of(
              "trialCodeDirectory", new ValueType.Directory(true), "where the trial's code lies"),
          Field.of(
              "trialGpuNumber",
              new ValueType.Whole(0, Integer.MAX_VALUE),
              "how many GPUs a trial needs"),
          Field.of("nniManagerIp", new ValueType.Text(), "the address that trials call back"),
          Field.of("debug", new ValueType.Flag(), "whether to check less and log more"));

  static final List<String> NAMES =
      List.of(
          "local",
          "remote",
          "openpai",
          "kubeflow",
          "frameworkcontroller",
          "aml",
          "dlc",
          "dlts",
          "adl",
          "hybrid",
          "kubernetes",
          "simulated");

  private static final Map<String, String> ALIASES = Map.of("pai", "openpai", "paiyarn", "openpai");

  private PlatformSchemas() {}

  /** The keys of a platform; null when it cannot be read. */
  static @Nullable Schema of(String platform) {
    return switch (platform) {
      case "local" -> LocalSchema.SCHEMA;
      case "remote" -> RemoteSchema.SCHEMA;
      case "openpai" -> OpenPaiSchema.SCHEMA;
      case "kubernetes" -> ClusterSchemas.KUBERNETES;
      case "kubeflow" -> ClusterSchemas.KUBEFLOW;
      case "frameworkcontroller" -> ClusterSchemas.FRAMEWORKCONTROLLER;
      case "adl" -> ClusterSchemas.ADL;
      case "simulated" -> SimulatedSchema.SCHEMA;
      case "hybrid" -> HybridSchema.SCHEMA;
      default -> CloudSchemas.of(platform);
    };
  }

  /** The same of any platform: one that is not ours takes what all take, and what it declares. */
  static Schema of(String platform, List<Option> brought) {
    Schema own = of(platform);
    return own == null ? COMMON.and(BroughtSchema.of(brought)) : own;
  }

  /** A platform's own name for one of its spellings; unknown ones come back in lower case. */
  static String canonical(String written) {
    String name = written.toLowerCase(Locale.ROOT);
    return ALIASES.getOrDefault(name, name);
  }

  /** The platform of a name, or of one that is nearly it; null when it is like none. */
  static @Nullable String nearest(String name) {
    return NAMES.contains(name) ? name : Nearest.to(name, NAMES).orElse(null);
  }

  /** Why a platform cannot be had. */
  static String refusal(String platform, List<String> running) {
    String offer = "this version runs trials on: " + String.join(", ", running);
    return NAMES.contains(platform)
        ? "is " + platform + ", which is not available: " + offer
        : "is '"
            + platform
            + "', which is no platform"
            + Nearest.hint(platform, NAMES)
            + "; "
            + offer;
  }
}
