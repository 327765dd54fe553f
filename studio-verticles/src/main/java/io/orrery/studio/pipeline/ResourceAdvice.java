package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.PipelineRuns.UseOf;
import io.orrery.core.bus.contract.Pipelines.TaskAdvice;
import io.orrery.core.json.Json;
import io.orrery.core.workload.Amount;
import io.orrery.studio.document.AmountText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Advises what the tasks of a pipeline could ask for, by what their steps have used. It changes
 * nothing: a later run may need more than those before.
 */
final class ResourceAdvice {
  /** Fewer say little about the next one. */
  private static final int LEAST_RUNS = 3;

  private static final long LEAST_MEMORY = 64L << 20;
  private static final long CPU_STEP = 500;

  /** The suggestion is half as much again as was used. */
  private static final double MARGIN = 1.5;

  /** More than nine tenths of what a task may have is close to too little. */
  private static final double FULL = 0.9;

  private ResourceAdvice() {}

  /**
   * The measured tasks of a document.
   *
   * @param document a JSON object
   */
  static List<TaskAdvice> of(String document, List<UseOf> uses) {
    Map<String, JsonNode> tasks = new HashMap<>();
    JsonNode json = Json.parse(document);
    json.path("tasks").forEach(task -> tasks.put(task.path("name").asText(), task));
    tasks.putIfAbsent(json.at("/onExit/name").asText(), json.path("onExit"));
    List<TaskAdvice> all = new ArrayList<>();
    for (UseOf use : uses) {
      JsonNode task = tasks.get(use.task());
      if (task != null) {
        all.add(of(use, task.path("resources")));
      }
    }
    return all;
  }

  private static TaskAdvice of(UseOf use, JsonNode resources) {
    Map<String, String> suggested = new LinkedHashMap<>();
    List<String> words = new ArrayList<>();
    if (use.runs() >= LEAST_RUNS) {
      String memory = resources.path("memory").asText("");
      memory(AmountText.memory(memory), use.memory())
          .ifPresent(size -> {
            suggested.put("memory", memoryText(size));
            words.add(
                "memory: asked %s, used at most %s in %d runs: %s would do"
                    .formatted(memory, used(use.memory()), use.runs(), memoryText(size)));
          });
      String cpu = resources.path("cpu").asText("");
      cpu(AmountText.cpu(cpu), use.cpuMillis())
          .ifPresent(millis -> {
            suggested.put("cpu", cores(millis));
            words.add(
                "cpu: asked %s, used at most %s on average in %d runs: %s would do"
                    .formatted(cpu, cores(use.cpuMillis()), use.runs(), cores(millis)));
          });
    }
    return new TaskAdvice(use.task(), use.runs(), use.memory(), use.cpuMillis(), suggested, words);
  }

  /** The memory to ask for: half of what is asked for or less, or more where it is nearly full. */
  private static Optional<Long> memory(Optional<Amount> asked, long used) {
    long size = LEAST_MEMORY;
    while (size < used * MARGIN) {
      size *= 2;
    }
    long wanted = size;
    return asked
        .filter(amount -> wanted <= amount.most() / 2 || used > amount.most() * FULL)
        .map(amount -> wanted);
  }

  /** The cores to ask for; never more than now, since an average says nothing about a peak. */
  private static Optional<Long> cpu(Optional<Amount> asked, long used) {
    long steps = (long) Math.ceil(used * MARGIN / CPU_STEP);
    long wanted = Math.max(1, steps) * CPU_STEP;
    return asked.filter(amount -> wanted <= amount.most() / 2).map(amount -> wanted);
  }

  private static String memoryText(long size) {
    return size % (1L << 30) == 0 ? (size >> 30) + "G" : (size >> 20) + "M";
  }

  private static String used(long bytes) {
    return bytes < 1L << 30
        ? Math.max(1, bytes >> 20) + "M"
        : String.format(Locale.ROOT, "%.1fG", (double) bytes / (1L << 30));
  }

  private static String cores(long millis) {
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }
}
