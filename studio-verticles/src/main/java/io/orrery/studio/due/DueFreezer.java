package io.orrery.studio.due;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.PipelineName;
import io.orrery.studio.pipeline.PipelineFreezer;
import io.orrery.studio.pipeline.PipelineFreezer.Ready;
import io.orrery.studio.schedule.DueIds;
import io.orrery.studio.schedule.DueRunTable.Freezing;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Freezes due runs. A pipeline that is wrong by now, because a template of it is gone, say, gives
 * due runs that are refused; a fault that passes fails the future, so that it is tried again.
 */
final class DueFreezer {
  private static final int MOST_CHARACTERS = 2_000;

  private final PipelineFreezer pipelines;

  DueFreezer(PipelineFreezer pipelines) {
    this.pipelines = pipelines;
  }

  /**
   * Freezes a run for each instant.
   *
   * @param attempt how often it was run before
   * @return in the order of the instants
   */
  Future<Map<Instant, Freezing>> freeze(
      PipelineName pipeline, Collection<Instant> instants, int attempt) {
    List<Instant> all = List.copyOf(instants);
    return pipelines
        .ready(pipeline)
        .map(ready -> frozen(ready, all, attempt))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Refused refused
                ? Future.succeededFuture(refused(all, refused))
                : Future.failedFuture(failure));
  }

  private static Map<Instant, Freezing> frozen(Ready ready, List<Instant> instants, int attempt) {
    Map<Instant, Freezing> frozen = new LinkedHashMap<>();
    for (Instant due : instants) {
      frozen.put(due, frozen(ready, due, attempt));
    }
    return frozen;
  }

  private static Freezing frozen(Ready ready, Instant due, int attempt) {
    PipelineName name = ready.pipeline().name();
    try {
      return new Freezing(
          ready.due(DueIds.run(name, ready.pipeline().createdAt(), due, attempt), due), null);
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Refused refused) {
        return new Freezing(null, words(refused));
      }
      throw e;
    }
  }

  private static Map<Instant, Freezing> refused(List<Instant> instants, Problem.Refused refused) {
    Map<Instant, Freezing> all = new LinkedHashMap<>();
    instants.forEach(due -> all.put(due, new Freezing(null, words(refused))));
    return all;
  }

  /** A refusal with its findings, in a sentence. */
  static String words(Problem.Refused refused) {
    List<String> words = new ArrayList<>();
    for (Finding finding : refused.findings()) {
      words.add(
          finding.pointer().isEmpty()
              ? finding.message()
              : finding.pointer() + ": " + finding.message());
    }
    String text = words.isEmpty() ? refused.detail() : String.join("; ", words);
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
  }
}
