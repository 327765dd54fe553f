package io.orrery.compute.gpu;

import io.orrery.core.bus.contract.Gpus.GpuHolder;
import io.orrery.core.bus.contract.Gpus.GpuState;
import io.orrery.core.bus.contract.Gpus.GpuUse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A memory of since when each GPU of a machine has not been used. */
final class GpuStates {
  /** A device whose driver is asked now and then is not quite at 0. */
  private static final int LOW_PERCENT = 2;

  /** With more memory in use, some program holds it, if none of ours. */
  private static final long LOW_MEMORY = 512;

  private final Duration patience;
  private final Map<Integer, Seen> seen = new HashMap<>();

  private record Seen(boolean held, Instant since) {}

  /**
   * @param patience after which one that is held and not used is idle
   */
  GpuStates(Duration patience) {
    this.patience = patience;
  }

  /**
   * Notes a look.
   *
   * @param holders by the number of the device
   */
  List<GpuUse> note(Instant now, List<GpuReading> readings, Map<Integer, List<GpuHolder>> holders) {
    seen.keySet()
        .removeIf(index -> readings.stream().noneMatch(reading -> reading.index() == index));
    return readings.stream()
        .map(reading -> use(now, reading, holders.getOrDefault(reading.index(), List.of())))
        .toList();
  }

  private GpuUse use(Instant now, GpuReading reading, List<GpuHolder> holders) {
    Integer percent = reading.percent();
    Long memory = reading.usedMemory();
    boolean quiet = percent != null && percent <= LOW_PERCENT;
    boolean held = !holders.isEmpty() || (memory != null && memory > LOW_MEMORY);
    Seen last = null;
    if (quiet) {
      last =
          seen.merge(
              reading.index(),
              new Seen(held, now),
              (before, next) -> before.held() == held ? before : next);
    } else {
      seen.remove(reading.index());
    }
    return new GpuUse(
        reading.index(),
        reading.name(),
        state(now, last),
        percent,
        memory,
        last == null ? null : last.since(),
        holders);
  }

  private GpuState state(Instant now, @Nullable Seen last) {
    if (last == null) {
      return GpuState.BUSY;
    }
    if (!last.held()) {
      return GpuState.FREE;
    }
    return last.since().plus(patience).isAfter(now) ? GpuState.BUSY : GpuState.IDLE;
  }
}
