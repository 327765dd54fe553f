package io.orrery.compute.gpu;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that a program needs.
 *
 * @param count how many GPUs, 1 or more
 * @param indices those it may have; empty allows all
 * @param trialsPerGpu most programs on one GPU, itself included, 1 or more
 * @param useActive whether a GPU that a foreign process uses will do
 */
public record GpuRequest(int count, List<Integer> indices, int trialsPerGpu, boolean useActive) {
  public GpuRequest {
    indices = List.copyOf(indices);
  }

  /** What a trial of an experiment needs; empty when GPUs are none of its platform's business. */
  public static Optional<GpuRequest> of(JobSpec job) {
    Integer count = job.gpuNumber();
    if (count == null || count == 0) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> settings = job.trainingService().settings().values();
    List<Integer> indices = new ArrayList<>();
    if (settings.get("gpuIndices") instanceof List<?> given) {
      given.forEach(index -> indices.add(((Number) index).intValue()));
    }
    int perGpu =
        settings.get("maxTrialNumberPerGpu") instanceof Number number ? number.intValue() : 1;
    boolean active = Boolean.TRUE.equals(settings.get("useActiveGpu"));
    return Optional.of(new GpuRequest(count, indices, perGpu, active));
  }

  /** So many devices of any number, which are shared with nothing else. */
  public static GpuRequest whole(int count) {
    return new GpuRequest(count, List.of(), 1, false);
  }

  /** Whether it may have this device at all. */
  boolean allows(GpuDevice device) {
    return indices.isEmpty() || indices.contains(device.index());
  }

  /** Why a machine with these devices can never meet it, whatever falls free; null when it can. */
  @Nullable String neverOn(List<GpuDevice> devices) {
    long allowed = devices.stream().filter(this::allows).count();
    if (allowed >= count) {
      return null;
    }
    String unknown = unknownOn(devices);
    if (unknown != null) {
      return unknown;
    }
    return devices.isEmpty()
        ? "this machine has none"
        : "this machine has only " + named(devices.stream().map(GpuDevice::index).toList());
  }

  /** What is wrong with its gpuIndices on a machine with these devices; null when nothing is. */
  private @Nullable String unknownOn(List<GpuDevice> devices) {
    List<Integer> there = devices.stream().map(GpuDevice::index).toList();
    List<Integer> missing = indices.stream().filter(index -> !there.contains(index)).toList();
    if (missing.isEmpty()) {
      return null;
    }
    return "gpuIndices names "
        + named(missing)
        + ", and this machine has "
        + (there.isEmpty() ? "no GPU" : named(there));
  }

  /**
   * What a machine has against it that no waiting will change.
   *
   * @return pointers into the v3 form
   */
  public List<Finding> check(GpuSight sight) {
    return switch (sight) {
      case GpuSight.Seen(List<GpuDevice> devices) -> {
        String unknown = unknownOn(devices);
        String never = neverOn(devices);
        if (unknown != null) {
          yield List.of(new Finding("/trainingService/gpuIndices", unknown));
        }
        yield never == null
            ? List.of()
            : List.of(
                new Finding("/trialGpuNumber", "a trial needs " + amount() + ", but " + never));
      }
      case GpuSight.Absent() ->
          List.of(
              new Finding(
                  "/trialGpuNumber",
                  "a trial needs "
                      + amount()
                      + ", but there is no program nvidia-smi on the server's PATH, so that no GPU"
                      + " can be found; without trialGpuNumber trials see whatever there is"));
      // It may answer when a trial is to start; until then the trial says why it waits.
      case GpuSight.Failed(String why) -> List.of();
    };
  }

  /**
   * The objection of this machine that no waiting will change, for the program of a service or a
   * notebook.
   *
   * @return a sentence without a full stop; null when there is nothing
   */
  public @Nullable String refusal(GpuSight sight) {
    return switch (sight) {
      case GpuSight.Seen(List<GpuDevice> devices) -> {
        String never = neverOn(devices);
        yield never == null
            ? null
            : "it needs %s, but %s: ask for fewer, or name a cluster".formatted(amount(), never);
      }
      case GpuSight.Absent() ->
          ("it needs %s, but there is no program nvidia-smi on the server's PATH, so that no GPU"
                  + " can be found: ask for 0, or name a cluster")
              .formatted(amount());
      // It may answer when the program is to start; until then that says why it waits.
      case GpuSight.Failed(String why) -> null;
    };
  }

  /** {@code 1 GPU}, {@code 2 GPUs}. */
  String amount() {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  /** {@code gpu 0, 2}. */
  static String named(List<Integer> indices) {
    return indices.stream().map(String::valueOf).collect(Collectors.joining(", ", "gpu ", ""));
  }
}
