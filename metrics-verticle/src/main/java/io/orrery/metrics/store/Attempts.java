package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The attempts that report now, least recently used first. A state may be dropped as soon as all of
 * it is in chunks, and is then loaded again when needed: so dropping one never lets a repetition
 * in. Belongs to the writer thread, the only one that may wait for a load.
 */
final class Attempts {
  private static final long PATIENCE_SECONDS = 30;

  /** Trials in one question; bounds its text. */
  private static final int GROUP = 256;

  private final ChunkTable chunks;
  private final ExperimentsWithChunks chunked;
  private final Forgotten forgotten;
  private final int rangeLimit;
  private int loaded;
  private final Map<AttemptRef, AttemptState> states = new LinkedHashMap<>(1024, 0.75f, true);

  Attempts(ChunkTable chunks, ExperimentsWithChunks chunked, Forgotten forgotten, int rangeLimit) {
    this.chunks = chunks;
    this.chunked = chunked;
    this.forgotten = forgotten;
    this.rangeLimit = rangeLimit;
  }

  boolean has(AttemptRef attempt) {
    return states.containsKey(attempt);
  }

  /** The state of an attempt, loaded when it is not at hand. */
  AttemptState get(AttemptRef attempt) throws TimeoutException {
    AttemptState state = states.get(attempt);
    if (state == null) {
      load(Set.of(attempt));
      state = states.get(attempt);
    }
    if (state == null) {
      throw new IllegalStateException("not loaded: " + attempt);
    }
    return state;
  }

  /** Loads several at once, in few questions whose reads overlap. */
  void load(Set<AttemptRef> missing) throws TimeoutException {
    Map<ExperimentId, Set<TrialId>> trials = new LinkedHashMap<>();
    for (AttemptRef attempt : missing) {
      ExperimentId experiment = attempt.trial().experiment();
      if (chunked.mayHave(experiment)) {
        trials
            .computeIfAbsent(experiment, first -> new LinkedHashSet<>())
            .add(attempt.trial().trial());
      }
    }
    List<Future<List<AttemptState>>> loads = new ArrayList<>();
    trials.forEach((experiment, all) -> {
      List<TrialId> wanted = List.copyOf(all);
      for (int from = 0; from < wanted.size(); from += GROUP) {
        List<TrialId> group = wanted.subList(from, Math.min(wanted.size(), from + GROUP));
        loads.add(chunks.states(experiment, group, forgotten.before(experiment)));
      }
    });
    if (!loads.isEmpty()) {
      Future.join(loads).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    loaded += missing.size();
    missing.forEach(attempt -> states.put(attempt, new AttemptState(attempt)));
    for (Future<List<AttemptState>> load : loads) {
      for (AttemptState known : load.result()) {
        // Other attempts of the same trials come along; what is at hand of them is newer.
        if (missing.contains(known.attempt())) {
          states.put(known.attempt(), known);
        }
      }
    }
  }

  void forget(ExperimentId experiment) {
    states.keySet().removeIf(attempt -> attempt.trial().experiment().equals(experiment));
  }

  /** Whether so many were loaded since the last {@link #trim} that another one is due. */
  boolean crowded() {
    return loaded > rangeLimit / 8;
  }

  /**
   * Drops what is over the limit. Looks at every state, so it is for once in a while.
   *
   * @param moved the offset before which the log is in chunks
   */
  void trim(long moved) {
    loaded = 0;
    long weight = states.values().stream().mapToLong(AttemptState::weight).sum();
    Iterator<AttemptState> eldest = states.values().iterator();
    while (weight > rangeLimit && eldest.hasNext()) {
      AttemptState state = eldest.next();
      if (state.changedIn() < moved) {
        weight -= state.weight();
        eldest.remove();
      }
    }
  }
}
