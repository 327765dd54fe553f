package io.orrery.compute.gpu;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A snapshot of the processes of this machine, and of the programs of ours that they belong to.
 *
 * @param alive all process numbers
 * @param owners the programs of ours that processes belong to
 * @param grants the programs that were given devices, and which; it does not matter by which run of
 *     the server
 * @param unseen those among them whose processes cannot be told, such as those of containers
 */
public record GpuCensus(
    Set<Long> alive,
    Map<Long, GpuUser> owners,
    Map<GpuUser, GpuGrant> grants,
    Set<GpuUser> unseen) {
  /** A census without any program of ours. */
  public static final GpuCensus NONE = new GpuCensus(Set.of(), Map.of(), Map.of());

  public GpuCensus {
    alive = Set.copyOf(alive);
    owners = Map.copyOf(owners);
    grants = Map.copyOf(grants);
    unseen = Set.copyOf(unseen);
  }

  /** A census of programs whose processes are all known. */
  public GpuCensus(Set<Long> alive, Map<Long, GpuUser> owners, Map<GpuUser, GpuGrant> grants) {
    this(alive, owners, grants, Set.of());
  }

  /** Takes the census; called on a thread that may block. */
  @FunctionalInterface
  public interface Source {
    GpuCensus take() throws IOException;
  }

  /** A source that knows what all of these know. */
  static Source together(List<Source> sources) {
    List<Source> all = List.copyOf(sources);
    return () -> {
      Set<Long> alive = new HashSet<>();
      Map<Long, GpuUser> owners = new HashMap<>();
      Map<GpuUser, GpuGrant> grants = new HashMap<>();
      Set<GpuUser> unseen = new HashSet<>();
      for (Source source : all) {
        GpuCensus part = source.take();
        alive.addAll(part.alive());
        owners.putAll(part.owners());
        grants.putAll(part.grants());
        unseen.addAll(part.unseen());
      }
      return new GpuCensus(alive, owners, grants, unseen);
    };
  }
}
