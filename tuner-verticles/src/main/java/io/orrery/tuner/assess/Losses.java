package io.orrery.tuner.assess;

import io.orrery.core.metric.Direction;
import java.util.Locale;

/** Shows a loss to the reader of why a trial was stopped: as the result that it stands for. */
final class Losses {
  private Losses() {}

  static String shown(double loss, Direction direction) {
    return Double.isFinite(loss)
        ? String.format(Locale.ROOT, "%.6g", direction == Direction.MINIMIZE ? loss : -loss)
        : "not a finite number";
  }
}
