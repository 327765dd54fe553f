package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The points of one segment of the log, sorted by attempt, in memory until they are in chunks.
 * Belongs to the writer thread; slices that it gives away stay as they are.
 */
final class ActiveSegment {
  /** Objects that an attempt costs beside its bytes, roughly. */
  private static final int OVERHEAD = 400;

  /**
   * A run of encoded points of one segment; the first {@code length} bytes are valid. Written bytes
   * never change: a longer run continues behind them or in a copy.
   */
  record Slice(AttemptRef attempt, long segment, byte[] bytes, int length) {
    byte[] toBytes() {
      return Arrays.copyOf(bytes, length);
    }
  }

  private static final class Run {
    private final AttemptState state;
    private byte[] bytes;
    private int length;

    Run(AttemptState state, int length) {
      this.state = state;
      this.bytes = new byte[length];
    }

    void add(byte[] from, int start, int end) {
      int more = end - start;
      if (length + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
      }
      System.arraycopy(from, start, bytes, length, more);
      length += more;
    }
  }

  private final long segment;
  private final Map<TrialRef, TreeMap<Integer, Run>> trials = new HashMap<>();
  private int size;

  ActiveSegment(long segment) {
    this.segment = segment;
  }

  /** The offset where the segment begins, which names it. */
  long segment() {
    return segment;
  }

  /** Bytes held, roughly. */
  int size() {
    return size;
  }

  /** Appends the encoded points of a block. */
  void add(AttemptState state, byte[] from, int start, int end) {
    TreeMap<Integer, Run> attempts =
        trials.computeIfAbsent(state.attempt().trial(), trial -> new TreeMap<>());
    Run run = attempts.get(state.attempt().number());
    if (run == null) {
      run = new Run(state, end - start);
      attempts.put(state.attempt().number(), run);
      size += OVERHEAD;
    }
    run.add(from, start, end);
    size += end - start;
  }

  void forget(ExperimentId experiment) {
    trials.keySet().removeIf(trial -> trial.experiment().equals(experiment));
  }

  /** What the last attempt of a trial has reported here. */
  Optional<Slice> lastAttempt(TrialRef trial) {
    TreeMap<Integer, Run> attempts = trials.get(trial);
    return attempts == null
        ? Optional.empty()
        : Optional.of(slice(attempts.lastEntry().getValue()));
  }

  /** What an attempt has reported here. */
  Optional<Slice> attempt(AttemptRef attempt) {
    TreeMap<Integer, Run> attempts = trials.get(attempt.trial());
    Run run = attempts == null ? null : attempts.get(attempt.number());
    return run == null ? Optional.empty() : Optional.of(slice(run));
  }

  /** Whose points these are. */
  Set<ExperimentId> experiments() {
    return trials.keySet().stream().map(TrialRef::experiment).collect(Collectors.toSet());
  }

  /** All of it as rows, with what is known of each attempt at this moment. */
  List<Chunk> chunks() {
    List<Chunk> chunks = new ArrayList<>();
    for (TreeMap<Integer, Run> attempts : trials.values()) {
      for (Run run : attempts.values()) {
        chunks.add(new Chunk(slice(run), run.state.seen(), run.state.result()));
      }
    }
    return chunks;
  }

  private Slice slice(Run run) {
    return new Slice(run.state.attempt(), segment, run.bytes, run.length);
  }
}
