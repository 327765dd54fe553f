package io.orrery.metrics.store;

import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.AttemptRef;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must be known of an attempt to take its next point. Belongs to the writer thread. */
final class AttemptState {
  private record Used(Ordinals intermediates, Ordinals finals) {
    Used() {
      this(new Ordinals(), new Ordinals());
    }

    Ordinals of(MetricKind kind) {
      return switch (kind) {
        case INTERMEDIATE -> intermediates;
        case FINAL -> finals;
      };
    }
  }

  private final AttemptRef attempt;
  private final Map<String, Used> bySource = new HashMap<>();

  /** The source that reported last, which is usually the next one as well. */
  private String lastSource = "";

  private @Nullable Used lastUsed;
  private @Nullable MetricPoint result;
  private long changedIn = -1;

  AttemptState(AttemptRef attempt) {
    this.attempt = attempt;
  }

  AttemptRef attempt() {
    return attempt;
  }

  /** Takes a point in; false when it is a repetition. */
  boolean claim(MetricPoint point, long segment) {
    boolean fresh = used(point.source()).of(point.kind()).add(point.ordinal());
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

  int ranges() {
    int ranges = 1;
    for (Used used : bySource.values()) {
      ranges += used.intermediates().ranges() + used.finals().ranges();
    }
    return ranges;
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
      Ordinals intermediates = Ordinals.readFrom(in);
      state.bySource.put(source, new Used(intermediates, Ordinals.readFrom(in)));
    }
    state.result = result == null ? null : new Decoder(result).point(attempt);
    return state;
  }
}
