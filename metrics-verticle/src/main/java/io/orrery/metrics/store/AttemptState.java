package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The deduplication state of an attempt: the ordinals that were used, by source. It is bounded,
 * because it is in memory while the attempt reports and is stored with each of its chunks. Belongs
 * to the writer thread.
 */
final class AttemptState {
  /** A source is a process that reports, or one start of it: far more than any attempt has. */
  static final int MAX_SOURCES = 2_000;

  /** Ranges of ordinals: as many points of one attempt may stand alone. */
  static final int MAX_RANGES = 100_000;

  /** Characters of a name that weigh as much as a range. */
  private static final int NAME_PER_RANGE = 16;

  private record Used(PointOrdinals intermediates, PointOrdinals finals) {
    Used() {
      this(new PointOrdinals(), new PointOrdinals());
    }

    PointOrdinals of(MetricKind kind) {
      return switch (kind) {
        case INTERMEDIATE -> intermediates;
        case FINAL -> finals;
      };
    }

    int ranges() {
      return intermediates.ranges() + finals.ranges();
    }
  }

  private final AttemptRef attempt;
  private final Map<String, Used> bySource = new HashMap<>();

  /** The source that reported last, which is usually the next one as well. */
  private String lastSource = "";

  private @Nullable Used lastUsed;
  private @Nullable MetricPoint result;
  private long changedIn = -1;

  /** Of all sources. */
  private int ranges;

  AttemptState(AttemptRef attempt) {
    this.attempt = attempt;
  }

  AttemptRef attempt() {
    return attempt;
  }

  /**
   * Why some points of this attempt cannot be taken, or null: more would have to be known than is
   * kept. Points without a gap are always taken, and so are repetitions; near the bound, points
   * that come in no order are counted as if none belonged to another.
   */
  @Nullable Problem excess(List<MetricPoint> points) {
    if (bySource.size() + points.size() > MAX_SOURCES
        && bySource.size() + strangers(points) > MAX_SOURCES) {
      return new Problem.TooLarge(
          "attempt %d of trial %s reports under more than %,d names of a source; a source is a process that reports, and keeps its name"
              .formatted(attempt.number(), attempt.trial(), MAX_SOURCES));
    }
    if (ranges + points.size() > MAX_RANGES && ranges + gaps(points) > MAX_RANGES) {
      return new Problem.TooLarge(
          "attempt %d of trial %s leaves more than %,d gaps in its ordinals; a source counts its points 0, 1, 2, …"
              .formatted(attempt.number(), attempt.trial(), MAX_RANGES));
    }
    return null;
  }

  /** How many sources would be new. */
  private int strangers(List<MetricPoint> points) {
    Set<String> strangers = new HashSet<>();
    String previous = lastSource;
    for (MetricPoint point : points) {
      if (!point.source().equals(previous)) {
        previous = point.source();
        if (!bySource.containsKey(previous)) {
          strangers.add(previous);
        }
      }
    }
    return strangers.size();
  }

  /** How many ranges would be new at most. */
  private int gaps(List<MetricPoint> points) {
    int gaps = 0;
    MetricPoint previous = null;
    for (MetricPoint point : points) {
      boolean follows =
          previous != null
              && point.ordinal() == previous.ordinal() + 1
              && point.kind() == previous.kind()
              && point.source().equals(previous.source());
      Used used = bySource.get(point.source());
      if (!follows && (used == null || !used.of(point.kind()).touches(point.ordinal()))) {
        gaps++;
      }
      previous = point;
    }
    return gaps;
  }

  /** Takes a point in; false when it is a repetition. */
  boolean claim(MetricPoint point, long segment) {
    PointOrdinals ordinals = used(point.source()).of(point.kind());
    ranges -= ordinals.ranges();
    boolean fresh = ordinals.add(point.ordinal());
    ranges += ordinals.ranges();
    if (fresh) {
      noted(point, segment);
    }
    return fresh;
  }

  private Used used(String source) {
    Used used = lastUsed;
    if (used == null || !source.equals(lastSource)) {
      used = bySource.computeIfAbsent(source, s -> new Used());
      lastSource = source;
      lastUsed = used;
    }
    return used;
  }

  /** Takes in a point of the log, which counts there even if the chunks know it already. */
  void replay(MetricPoint point, long segment) {
    claim(point, segment);
    noted(point, segment);
  }

  private void noted(MetricPoint point, long segment) {
    changedIn = segment;
    if (point.kind() == MetricKind.FINAL) {
      result = point;
    }
  }

  @Nullable MetricPoint result() {
    return result;
  }

  /** The segment of the last change; -1 when all of it is in chunks. */
  long changedIn() {
    return changedIn;
  }

  /** What it takes of memory, in ranges. */
  int weight() {
    int names = 0;
    for (String source : bySource.keySet()) {
      names += source.length();
    }
    return 1 + ranges + names / NAME_PER_RANGE;
  }

  byte[] seen() {
    Encoder out = new Encoder(64);
    out.varint(bySource.size());
    bySource.forEach((source, used) -> {
      out.text(source);
      used.intermediates().writeTo(out);
      used.finals().writeTo(out);
    });
    return out.toBytes();
  }

  static AttemptState of(AttemptRef attempt, byte[] seen, byte @Nullable [] result) {
    AttemptState state = new AttemptState(attempt);
    Decoder in = new Decoder(seen);
    for (long left = in.varint(); left > 0; left--) {
      String source = in.text();
      PointOrdinals intermediates = PointOrdinals.readFrom(in);
      Used used = new Used(intermediates, PointOrdinals.readFrom(in));
      state.bySource.put(source, used);
      state.ranges += used.ranges();
    }
    state.result = result == null ? null : new Decoder(result).point(attempt);
    return state;
  }
}
