package io.orrery.orchestrator.spec;

import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * NNI's v1 keys, section by section, and where each one went in v3. A section is named by its key,
 * the top level by the empty text. What NNI's clients send its manager is v1 as well, but for the
 * search space, which stands in it.
 */
final class V1Keys {
  /** Keys that v3 has no place for, and that have no effect. */
  static final List<String> DROPPED =
      List.of("authorName", "description", "versionCheck", "logCollection");

  static final List<String> ALGORITHMS = List.of("tuner", "assessor", "advisor");

  /** The objects that a v1 file is made of, beside its top level. */
  static final List<String> SECTIONS =
      List.of("trial", "localConfig", "tuner", "assessor", "advisor");

  private static final Map<String, String> ROOT =
      table(
          "experimentName", "/experimentName",
          "trialConcurrency", "/trialConcurrency",
          "maxExecDuration", "/maxExperimentDuration",
          "maxTrialDuration", "/maxTrialDuration",
          "maxTrialNum", "/maxTrialNumber",
          "trainingServicePlatform", "/trainingService/platform",
          "searchSpacePath", "/searchSpaceFile",
          "useAnnotation", "/useAnnotation",
          "nniManagerIp", "/nniManagerIp",
          "logDir", "/experimentWorkingDirectory",
          "debug", "/debug",
          "logLevel", "/logLevel",
          "searchSpace", "/searchSpace",
          "sharedStorage", "/sharedStorage");

  private static final Map<String, String> TRIAL =
      table(
          "command",
          "/trialCommand",
          "codeDir",
          "/trialCodeDirectory",
          "gpuNum",
          "/trialGpuNumber");

  private static final Map<String, String> LOCAL =
      table(
          "gpuIndices", "/trainingService/gpuIndices",
          "maxTrialNumPerGpu", "/trainingService/maxTrialNumberPerGpu",
          "useActiveGpu", "/trainingService/useActiveGpu");

  private static final Set<String> ANYWHERE = Set.of("", "trial", "localConfig");

  private V1Keys() {}

  /** Keys of the top level that only files for platforms other than local have. */
  static List<String> otherPlatforms() {
    return Stream.concat(
            ServiceSections.all().stream()
                .map(ServiceSection::older)
                .filter(Objects::nonNull)
                .flatMap(older -> older.topLevel().stream()),
            Stream.of("hybridConfig"))
        .filter(key -> !SECTIONS.contains(key))
        .toList();
  }

  /** The v3 pointer of each key that moves, by section. */
  static Map<String, String> moves(String section) {
    return switch (section) {
      case "trial" -> TRIAL;
      case "localConfig" -> LOCAL;
      case "tuner" -> algorithm("tuner", "builtinTunerName");
      case "assessor" -> algorithm("assessor", "builtinAssessorName");
      case "advisor" -> algorithm("advisor", "builtinAdvisorName");
      default -> root();
    };
  }

  /** Every key that a section may have. */
  static List<String> known(String section) {
    List<String> known = new ArrayList<>(moves(section).keySet());
    switch (section) {
      case "" -> {
        known.addAll(List.of("trial", "localConfig"));
        known.addAll(ALGORITHMS);
        known.addAll(DROPPED);
      }
      case "tuner", "assessor", "advisor" -> known.add("classFileName");
      default -> {}
    }
    known.addAll(inert(section));
    return known;
  }

  /** Keys of an object that do nothing here. */
  static List<String> inert(String section) {
    return switch (section) {
      case "trial" -> List.of("nasMode");
      case "tuner", "advisor" -> List.of("includeIntermediateResults");
      case "assessor" -> List.of("includeIntermediateResults", "gpuIndices");
      default -> List.of();
    };
  }

  /** Where a v1 key that stands in a v3 file went: v3 pointers, the one to name first. */
  static List<String> newer(String key, String section) {
    if (Keys.same(key, "trial")) {
      return List.of("/trialCommand", "/trialCodeDirectory", "/trialGpuNumber");
    }
    if (Keys.same(key, "localConfig")) {
      return List.of("/trainingService");
    }
    if (Keys.same(key, "trainingServicePlatform")) {
      return List.of("/trainingService/platform", "/trainingService");
    }
    String own = section.isEmpty() ? "" : section.substring(1);
    List<String> candidates = new ArrayList<>(List.of(own, "", "trial", "localConfig"));
    candidates.removeIf(s -> !ANYWHERE.contains(s) && !ALGORITHMS.contains(s));
    for (String candidate : candidates) {
      for (Map.Entry<String, String> move : moves(candidate).entrySet()) {
        boolean renamed = !move.getValue().endsWith("/" + move.getKey());
        if (renamed && Keys.same(move.getKey(), key)) {
          return List.of(move.getValue());
        }
      }
    }
    return List.of();
  }

  /** Whether a key at the top level says that the file is v1. */
  static boolean only(String key) {
    return (Keys.find(key, known("")).isPresent() && !inV3(key))
        || Keys.find(key, otherPlatforms()).isPresent();
  }

  /** Whether a key may stand at the top level of a v3 file. */
  static boolean inV3(String key) {
    return Keys.find(key, ExperimentSchema.ROOT.names()).isPresent();
  }

  private static Map<String, String> root() {
    Map<String, String> root = new LinkedHashMap<>(ROOT);
    ExperimentSchema.OURS.names().forEach(name -> root.put(name, "/" + name));
    return root;
  }

  private static Map<String, String> algorithm(String kind, String builtin) {
    Map<String, String> table =
        table(
            builtin,
            "/" + kind + "/name",
            "className",
            "/" + kind + "/className",
            "codeDir",
            "/" + kind + "/codeDirectory",
            "classArgs",
            "/" + kind + "/classArgs");
    if (!kind.equals("assessor")) {
      table.put("gpuIndices", "/tunerGpuIndices");
    }
    return table;
  }

  private static Map<String, String> table(String... keysAndPointers) {
    Map<String, String> table = new LinkedHashMap<>();
    for (int i = 0; i < keysAndPointers.length; i += 2) {
      table.put(keysAndPointers[i], keysAndPointers[i + 1]);
    }
    return table;
  }
}
