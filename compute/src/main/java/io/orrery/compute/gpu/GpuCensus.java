package io.orrery.compute.gpu;

import io.orrery.core.id.AttemptRef;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * A snapshot of the processes of this machine, and of the attempts they belong to.
 *
 * @param alive all process numbers
 * @param trials those that belong to an attempt of this server
 * @param grants the attempts among them that were given devices, and which; it does not matter by
 *     which run of the server
 */
public record GpuCensus(
    Set<Long> alive, Map<Long, AttemptRef> trials, Map<AttemptRef, GpuGrant> grants) {
  /** A census without any attempt. */
  public static final GpuCensus NONE = new GpuCensus(Set.of(), Map.of(), Map.of());

  public GpuCensus {
    alive = Set.copyOf(alive);
    trials = Map.copyOf(trials);
    grants = Map.copyOf(grants);
  }

  /** Takes the census; called on a thread that may block. */
  @FunctionalInterface
  public interface Source {
    GpuCensus take() throws IOException;
  }
}
