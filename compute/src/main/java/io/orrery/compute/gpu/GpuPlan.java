package io.orrery.compute.gpu;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decision which device is given to which attempt. Pure: it is told what was seen and who wants
 * what, and says who gets what. Not thread safe.
 *
 * <p><b>Whose turn it is.</b> The experiment whose trials hold the fewest devices goes first; among
 * equals, the one that came first. Who cannot be served keeps the devices that it will be served
 * with once trials on them have ended: no trial behind it joins those, so a trial that needs all
 * GPUs gets them even while small ones come and go. But a request that even the end of all our
 * trials would not meet, because of a foreign process or a broken device, keeps nothing: there is
 * no telling when its time comes.
 *
 * <p><b>Foreign processes.</b> A process on a device is ours when it belongs to an attempt that
 * holds that device. One whose number this machine does not know (the driver counts otherwise
 * inside a container) is taken for ours where a trial of ours is, else for a stranger.
 */
final class GpuPlan {
  private record Hold(GpuGrant grant, boolean found) {}

  /** An attempt and what it has just been given. */
  record Granted(AttemptRef attempt, GpuGrant grant) {}

  private final Map<AttemptRef, GpuRequest> waiting = new LinkedHashMap<>();
  private final Map<AttemptRef, Hold> holds = new LinkedHashMap<>();
  private List<GpuDevice> devices = List.of();
  private GpuCensus census = GpuCensus.NONE;

  /** An attempt joins those that wait. */
  void want(AttemptRef attempt, GpuRequest request) {
    waiting.put(attempt, request);
  }

  /** An attempt no longer waits; whether it did. */
  boolean withdraw(AttemptRef attempt) {
    return waiting.remove(attempt) != null;
  }

  /** An attempt gives back what it holds; whether it held anything. */
  boolean release(AttemptRef attempt) {
    return holds.remove(attempt) != null;
  }

  /** The attempts that wait, in the order in which they came. */
  List<AttemptRef> waiting() {
    return List.copyOf(waiting.keySet());
  }

  List<GpuDevice> devices() {
    return devices;
  }

  /**
   * What there is now. An attempt that an earlier run of the server gave devices to holds them as
   * long as the census knows processes of it.
   */
  void seen(List<GpuDevice> present, GpuCensus taken) {
    devices = present.stream().sorted(Comparator.comparingInt(GpuDevice::index)).toList();
    census = taken;
    holds
        .entrySet()
        .removeIf(hold -> hold.getValue().found() && !taken.grants().containsKey(hold.getKey()));
    taken.grants().forEach((attempt, grant) -> holds.putIfAbsent(attempt, new Hold(grant, true)));
  }

  /** Gives free devices to the experiments whose turn it is. */
  List<Granted> grant() {
    List<Granted> granted = new ArrayList<>();
    while (true) {
      Granted next = next();
      if (next == null) {
        return granted;
      }
      waiting.remove(next.attempt());
      holds.put(next.attempt(), new Hold(next.grant(), false));
      granted.add(next);
    }
  }

  private @Nullable Granted next() {
    Set<Integer> kept = new HashSet<>();
    for (AttemptRef attempt : inTurn()) {
      GpuRequest request = request(attempt);
      List<GpuDevice> targets =
          usable(request).stream()
              .filter(device -> !kept.contains(device.index()))
              .sorted(preference(request))
              .limit(request.count())
              .toList();
      if (targets.size() < request.count()) {
        continue;
      }
      if (targets.stream().allMatch(device -> hasRoom(device, request))) {
        List<Integer> indices = targets.stream().map(GpuDevice::index).sorted().toList();
        return new Granted(attempt, new GpuGrant(indices, request.trialsPerGpu()));
      }
      targets.forEach(device -> kept.add(device.index()));
    }
    return null;
  }

  private List<AttemptRef> inTurn() {
    Map<ExperimentId, Integer> held = new HashMap<>();
    holds.forEach((attempt, hold) ->
        held.merge(attempt.trial().experiment(), hold.grant().devices().size(), Integer::sum));
    return waiting.keySet().stream()
        .sorted(
            Comparator.comparingInt(
                (AttemptRef attempt) -> held.getOrDefault(attempt.trial().experiment(), 0)))
        .toList();
  }

  /** Free before taken, quiet before busy. */
  private Comparator<GpuDevice> preference(GpuRequest request) {
    return Comparator.comparing((GpuDevice device) -> !hasRoom(device, request))
        .thenComparingInt(device -> holders(device).size())
        .thenComparing(device -> othersOn(device) != null)
        .thenComparingInt(GpuDevice::index);
  }

  /** The devices that it may have once our own trials have left them. */
  private List<GpuDevice> usable(GpuRequest request) {
    return devices.stream()
        .filter(request::allows)
        .filter(device -> device.fault() == null)
        .filter(device -> request.useActive() || othersOn(device) == null)
        .toList();
  }

  /** A trial that does not share a device is alone on it, whatever comes later. */
  private boolean hasRoom(GpuDevice device, GpuRequest request) {
    List<Hold> there = holders(device).stream().map(this::hold).toList();
    int most =
        there.stream()
            .mapToInt(hold -> hold.grant().trialsPerGpu())
            .reduce(request.trialsPerGpu(), Math::min);
    return there.size() < most;
  }

  /** How many attempts of this kind could be served at once, if no others came. */
  int room(GpuRequest request) {
    int places =
        usable(request).stream()
            .filter(device -> hasRoom(device, request))
            .mapToInt(device -> request.trialsPerGpu() - holders(device).size())
            .sum();
    return places / request.count();
  }

  /** The attempts that hold a device. */
  List<AttemptRef> holders(GpuDevice device) {
    return holds.entrySet().stream()
        .filter(hold -> hold.getValue().grant().devices().contains(device.index()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Describes the other users of a device, in words; null when there are none. */
  @Nullable String othersOn(GpuDevice device) {
    List<AttemptRef> holders = holders(device);
    for (GpuProcess process : device.processes()) {
      AttemptRef trial = census.trials().get(process.pid());
      if (trial != null) {
        if (!holders.contains(trial)) {
          return "in use by trial " + trial.trial() + ", which was not given it";
        }
      } else if (holders.isEmpty() || census.alive().contains(process.pid())) {
        return "in use by another process (pid " + process.pid() + ", " + process.name() + ")";
      }
    }
    return null;
  }

  /** Why an attempt waits, in words for its user. */
  String reason(AttemptRef attempt) {
    GpuRequest request = request(attempt);
    String never = request.neverOn(devices);
    if (never != null) {
      return "waits for " + request.amount() + ", but " + never;
    }
    List<GpuDevice> allowed = devices.stream().filter(request::allows).toList();
    List<GpuDevice> free =
        usable(request).stream().filter(device -> hasRoom(device, request)).toList();
    Map<String, List<Integer>> obstacles = new LinkedHashMap<>();
    for (GpuDevice device : allowed) {
      if (!free.contains(device)) {
        obstacles
            .computeIfAbsent(obstacle(device, request), key -> new ArrayList<>())
            .add(device.index());
      }
    }
    String details =
        obstacles.entrySet().stream()
            .map(entry -> GpuRequest.named(entry.getValue()) + ": " + entry.getKey())
            .collect(Collectors.joining("; ", " (", ")"));
    return "waits for %s: %d of %d free%s%s"
        .formatted(
            request.amount(),
            free.size(),
            allowed.size(),
            free.size() >= request.count() ? ", kept for a trial whose turn comes first" : "",
            obstacles.isEmpty() ? "" : details);
  }

  private String obstacle(GpuDevice device, GpuRequest request) {
    if (device.fault() != null) {
      return device.fault();
    }
    String others = othersOn(device);
    if (others != null && !request.useActive()) {
      return others;
    }
    int there = holders(device).size();
    String trials = there == 1 ? "1 trial" : there + " trials";
    return there < request.trialsPerGpu() ? trials + " that will not share it" : trials;
  }

  private GpuRequest request(AttemptRef attempt) {
    return known(waiting, attempt);
  }

  private Hold hold(AttemptRef attempt) {
    return known(holds, attempt);
  }

  private static <T> T known(Map<AttemptRef, T> map, AttemptRef attempt) {
    T value = map.get(attempt);
    if (value == null) {
      throw new IllegalArgumentException("not known here: " + attempt);
    }
    return value;
  }
}
