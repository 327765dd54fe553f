package io.orrery.router.telemetry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last differences between the answers of a service and those of one of its shadows: at most
 * {@value #MOST} of each kind, and one of a kind in {@value #PAUSE_MILLIS} ms. Thread-safe.
 */
public final class Differences {
  static final int MOST = 10;
  static final long PAUSE_MILLIS = 100;

  /** How much longer a shadow takes before that is a difference. */
  private static final int SLOWER = 2;

  private static final long SLOWER_NANOS = 10_000_000;

  /** The kind of a difference: a status counts before a body, and a body before a time. */
  public enum Kind {
    STATUS("status"),
    BODY("body"),
    TIME("time");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As the API has it. */
    public String word() {
      return word;
    }
  }

  /**
   * An answer of a service or of its shadow.
   *
   * @param nanos that it took
   * @param length of its body in bytes; -1 when bodies are not compared
   * @param beginning of its body; null when bodies are not compared or there are too many shadows
   */
  public record Answer(int status, long nanos, long length, byte @Nullable [] beginning) {}

  /**
   * A pair of answers that differ.
   *
   * @param at milliseconds since the epoch
   * @param request its method and path, without the query
   * @param told to the client
   * @param said by the shadow
   */
  public record Difference(Kind kind, long at, String request, Answer told, Answer said) {}

  private final boolean withBodies;
  private final Map<Kind, ArrayDeque<Difference>> kept = new EnumMap<>(Kind.class);

  /**
   * @param withBodies whether the beginnings of bodies are kept
   */
  Differences(boolean withBodies) {
    this.withBodies = withBodies;
    for (Kind kind : Kind.values()) {
      kept.put(kind, new ArrayDeque<>());
    }
  }

  /**
   * What differs between two answers.
   *
   * @return null for nothing that matters
   */
  static @Nullable Kind kind(boolean sameStatus, boolean sameBody, long told, long said) {
    if (!sameStatus) {
      return Kind.STATUS;
    }
    if (!sameBody) {
      return Kind.BODY;
    }
    return said > SLOWER * told && said - told > SLOWER_NANOS ? Kind.TIME : null;
  }

  /** Keeps one, unless there was another of its kind just before. */
  synchronized void add(Difference one) {
    ArrayDeque<Difference> same = kept.get(one.kind());
    if (same == null || (!same.isEmpty() && one.at() - same.getLast().at() < PAUSE_MILLIS)) {
      return;
    }
    if (same.size() == MOST) {
      same.removeFirst();
    }
    boolean keeps = withBodies && one.kind() != Kind.TIME;
    same.addLast(
        keeps
            ? one
            : new Difference(
                one.kind(), one.at(), one.request(), bare(one.told()), bare(one.said())));
  }

  private static Answer bare(Answer answer) {
    return new Answer(answer.status(), answer.nanos(), answer.length(), null);
  }

  /** All that are kept, the newest first. */
  synchronized List<Difference> all() {
    List<Difference> all = new ArrayList<>();
    kept.values().forEach(all::addAll);
    all.sort(Comparator.comparingLong(Difference::at).reversed());
    return all;
  }
}
