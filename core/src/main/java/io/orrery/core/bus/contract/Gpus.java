package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about the GPUs of the machines that servers run on, and what is done with them. */
public final class Gpus {
  /** The GPUs of all servers, as they were last looked at. */
  public static final Address<AskGpus, AllGpus> ALL =
      new Address<>("gpus.all", AskGpus.class, AllGpus.class);

  /** Told by each server when it has looked. */
  public static final Topic<MachineGpus> SEEN = new Topic<>("gpus.seen", MachineGpus.class);

  private Gpus() {}

  public record AskGpus() {}

  public record AllGpus(List<MachineGpus> machines) {
    public AllGpus {
      machines = List.copyOf(machines);
    }
  }

  /**
   * The GPUs of a machine.
   *
   * @param failure why the last look brought nothing; null when it did
   */
  public record MachineGpus(
      String machine, Instant at, @Nullable String failure, List<GpuUse> gpus) {
    public MachineGpus {
      gpus = List.copyOf(gpus);
    }
  }

  /** A way in which a GPU is used, or not. */
  public enum GpuState {
    /** Held by nothing, and not used. */
    FREE,
    /** Held by something that has not used it for some minutes. */
    IDLE,
    BUSY
  }

  /**
   * The use of a GPU.
   *
   * @param percent of the time in which it computed; null when it does not say
   * @param usedMemory in MiB; null when it does not say
   * @param since when it was last used, or held, as far as the server has looked; null while it is
   *     busy
   * @param holders what it was given to
   */
  public record GpuUse(
      int index,
      String name,
      GpuState state,
      @Nullable Integer percent,
      @Nullable Long usedMemory,
      @Nullable Instant since,
      List<GpuHolder> holders) {
    public GpuUse {
      holders = List.copyOf(holders);
    }
  }

  /**
   * An object to which a GPU was given.
   *
   * @param kind {@code experiment}, {@code run}, or the kind of a workload such as {@code notebook}
   * @param name the identity of an experiment or a run, or the name of a workload
   */
  public record GpuHolder(String kind, String name) {}
}
