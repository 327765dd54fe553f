package io.orrery.compute.gpu;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
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
 * The decision which device is given to which program: an attempt of a trial, or a replica of a
 * workload. Pure: it is told what was seen and who wants what, and says who gets what. Not thread
 * safe.
 *
 * <p><b>Whose turn it is.</b> The experiment or workload that holds the fewest devices goes first;
 * among equals, the one that came first. Who cannot be served keeps the devices that it will be
 * served with once the programs on them have ended: no program behind it joins those, so one that
 * needs all GPUs gets them even while small ones come and go. But a request that even the end of
 * all our trials would not meet, because of a service, a notebook, a foreign process or a broken
 * device, keeps nothing: there is no telling when its time comes.
 *
 * <p><b>Foreign processes.</b> A process on a device is ours when it belongs to a program that
 * holds that device. One whose number this machine does not know (the driver counts otherwise
 * inside a container) is taken for ours where a program of ours is, else for a stranger; so is any
 * process beside a program whose processes cannot be told.
 */
final class GpuPlan {
  private record Hold(GpuGrant grant, boolean found) {}

  /** A program and what it has just been given. */
  record Granted(GpuUser user, GpuGrant grant) {}

  private final Map<GpuUser, GpuRequest> waiting = new LinkedHashMap<>();
  private final Map<GpuUser, Hold> holds = new LinkedHashMap<>();
  private List<GpuDevice> devices = List.of();
  private GpuCensus census = GpuCensus.NONE;

  /** A program joins those that wait. */
  void want(GpuUser user, GpuRequest request) {
    waiting.put(user, request);
  }

  /** A program no longer waits; whether it did. */
  boolean withdraw(GpuUser user) {
    return waiting.remove(user) != null;
  }

  /** A program gives back what it holds; whether it held anything. */
  boolean release(GpuUser user) {
    return holds.remove(user) != null;
  }

  /** The programs that wait, in the order in which they came. */
  List<GpuUser> waiting() {
    return List.copyOf(waiting.keySet());
  }

  List<GpuDevice> devices() {
    return devices;
  }

  /**
   * Takes in what there is now. A program that another run of the server gave devices to holds them
   * as long as the census knows it.
   */
  void seen(List<GpuDevice> present, GpuCensus taken) {
    devices = present.stream().sorted(Comparator.comparingInt(GpuDevice::index)).toList();
    census = taken;
    holds
        .entrySet()
        .removeIf(hold -> hold.getValue().found() && !taken.grants().containsKey(hold.getKey()));
    taken.grants().forEach((user, grant) -> holds.putIfAbsent(user, new Hold(grant, true)));
  }

  /** Has what a program holds be its own only as long as the census knows it. */
  void leave(GpuUser user) {
    holds.computeIfPresent(user, (left, hold) -> new Hold(hold.grant(), true));
  }

  /** Gives free devices to those whose turn it is. */
  List<Granted> grant() {
    List<Granted> granted = new ArrayList<>();
    while (true) {
      Granted next = next();
      if (next == null) {
        return granted;
      }
      waiting.remove(next.user());
      holds.put(next.user(), new Hold(next.grant(), false));
      granted.add(next);
    }
  }

  private @Nullable Granted next() {
    Set<Integer> kept = new HashSet<>();
    for (GpuUser user : inTurn()) {
      GpuRequest request = request(user);
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
        return new Granted(user, new GpuGrant(indices, request.trialsPerGpu()));
      }
      if (targets.stream().noneMatch(device -> isTakenForGood(device, request))) {
        targets.forEach(device -> kept.add(device.index()));
      }
    }
    return null;
  }

  private List<GpuUser> inTurn() {
    Map<Object, Integer> held = new HashMap<>();
    holds.forEach(
        (user, hold) -> held.merge(user.group(), hold.grant().devices().size(), Integer::sum));
    return waiting.keySet().stream()
        .sorted(Comparator.comparingInt((GpuUser user) -> held.getOrDefault(user.group(), 0)))
        .toList();
  }

  /** Free before taken, what a trial has before what a service has, quiet before busy. */
  private Comparator<GpuDevice> preference(GpuRequest request) {
    return Comparator.comparing((GpuDevice device) -> !hasRoom(device, request))
        .thenComparing(device -> isTakenForGood(device, request))
        .thenComparingInt(device -> holders(device).size())
        .thenComparing(device -> othersOn(device) != null)
        .thenComparingInt(GpuDevice::index);
  }

  /** The devices that it may have once our own programs have left them. */
  private List<GpuDevice> usable(GpuRequest request) {
    return devices.stream()
        .filter(request::allows)
        .filter(device -> device.fault() == null)
        .filter(device -> request.useActive() || othersOn(device) == null)
        .toList();
  }

  /** A program that does not share a device is alone on it, whatever comes later. */
  private boolean hasRoom(GpuDevice device, GpuRequest request) {
    List<Hold> there = holders(device).stream().map(this::hold).toList();
    int most =
        there.stream()
            .mapToInt(hold -> hold.grant().trialsPerGpu())
            .reduce(request.trialsPerGpu(), Math::min);
    return there.size() < most;
  }

  /** Whether it has no room, and gets none by itself: a program that need not end is on it. */
  private boolean isTakenForGood(GpuDevice device, GpuRequest request) {
    return !hasRoom(device, request)
        && holders(device).stream().anyMatch(holder -> !holder.endsByItself());
  }

  /** How many programs of this kind could be served at once, if no others came. */
  int room(GpuRequest request) {
    int places =
        usable(request).stream()
            .filter(device -> hasRoom(device, request))
            .mapToInt(device -> request.trialsPerGpu() - holders(device).size())
            .sum();
    return places / request.count();
  }

  /** The programs that hold a device. */
  List<GpuUser> holders(GpuDevice device) {
    return holds.entrySet().stream()
        .filter(hold -> hold.getValue().grant().devices().contains(device.index()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Describes the other users of a device, in words; null when there are none. */
  @Nullable String othersOn(GpuDevice device) {
    List<GpuUser> holders = holders(device);
    for (GpuProcess process : device.processes()) {
      GpuUser owner = census.owners().get(process.pid());
      if (owner != null) {
        if (!holders.contains(owner)) {
          return "in use by " + owner + ", which was not given it";
        }
      } else if (holders.isEmpty()
          || (census.alive().contains(process.pid())
              && holders.stream().noneMatch(census.unseen()::contains))) {
        return "in use by another process (pid " + process.pid() + ", " + process.name() + ")";
      }
    }
    return null;
  }

  /** Why a program waits, in words for its user. */
  String reason(GpuUser user) {
    GpuRequest request = request(user);
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
            free.size() >= request.count() ? ", kept for a program whose turn comes first" : "",
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
    List<GpuUser> there = holders(device);
    Map<String, Long> kinds =
        there.stream()
            .collect(
                Collectors.groupingBy(GpuUser::kind, LinkedHashMap::new, Collectors.counting()));
    String holders =
        kinds.entrySet().stream()
            .map(kind -> kind.getValue() + " " + kind.getKey() + (kind.getValue() == 1 ? "" : "s"))
            .collect(Collectors.joining(" and "));
    return there.size() < request.trialsPerGpu() ? holders + " that will not share it" : holders;
  }

  private GpuRequest request(GpuUser user) {
    return known(waiting, user);
  }

  private Hold hold(GpuUser user) {
    return known(holds, user);
  }

  private static <T> T known(Map<GpuUser, T> map, GpuUser user) {
    T value = map.get(user);
    if (value == null) {
      throw new IllegalArgumentException("not known here: " + user);
    }
    return value;
  }
}
