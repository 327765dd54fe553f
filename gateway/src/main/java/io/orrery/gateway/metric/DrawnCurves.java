package io.orrery.gateway.metric;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.gateway.http.JsonText;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the curves that were shown last. A chart is asked for again and again, by several
 * viewers, and most of its trials have ended: a curve to which nothing was added comes with the
 * very arrays that it had before, and is sent as the bytes that it was then. Belongs to one event
 * loop.
 */
final class DrawnCurves {
  /** What was not asked for longest goes first. */
  private static final long MOST_BYTES = 16L << 20;

  /** Of the three columns of a curve. */
  private static final long BYTES_A_POINT = 24;

  private static final int FIRST_PAPER = 64 << 10;

  private record Drawn(Metrics.Curve curve, byte[] text) {
    long bytes() {
      return text.length + BYTES_A_POINT * curve.values().length;
    }
  }

  private final LinkedHashMap<TrialRef, Drawn> drawn = new LinkedHashMap<>(16, 0.75f, true);

  /** Used for each: memory that is at hand is written much faster than what is new. */
  private final JsonText paper = new JsonText(FIRST_PAPER);

  private long bytes;

  /** A curve as JSON; the array is kept, and must not be changed. */
  byte[] text(TrialRef trial, Metrics.Curve curve) {
    Drawn known = drawn.get(trial);
    // Equal curves have the very same arrays: this is one look.
    if (known != null && known.curve().equals(curve)) {
      return known.text();
    }
    Drawn now = new Drawn(curve, draw(trial, curve));
    account(drawn.put(trial, now), now);
    while (bytes > MOST_BYTES) {
      account(drawn.pollFirstEntry().getValue(), null);
    }
    return now.text();
  }

  private byte[] draw(TrialRef trial, Metrics.Curve curve) {
    paper.clear();
    return SeriesShape.put(paper, trial, curve).toBytes();
  }

  private void account(@Nullable Drawn gone, @Nullable Drawn come) {
    bytes += (come == null ? 0 : come.bytes()) - (gone == null ? 0 : gone.bytes());
  }
}
