package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.Probe;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Probes one replica and finds its endpoints. Probes begin at once after a start, and their pause
 * grows with the age of the program up to the interval of the specification: a request may be
 * waiting for it. A ready replica is probed seldom, until a probe fails. Used by the replica's
 * thread, but for the results, which come from the thread of the prober.
 */
final class ReplicaProbes {
  private static final Duration FIRST_LOOK = Duration.ofMillis(250);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(4);

  private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  /** The time after which a program is seldom looked at that does not listen on all its ports. */
  private static final Duration OFTEN_UNTIL = Duration.ofMinutes(2);

  private static final Duration SELDOM = Duration.ofMinutes(1);

  private final ReplicaTools tools;
  private final WorkloadSpec spec;
  private final Runnable nudge;
  private final AtomicReference<@Nullable Result> result = new AtomicReference<>();

  private volatile ReplicaEndpoints endpoints = ReplicaEndpoints.given(Map.of());
  private Map<String, Integer> given = Map.of();
  private volatile boolean asking;

  /** Whether the last probe is of a ready replica whose success says nothing new. */
  private volatile boolean resting;

  private volatile int run;
  private Instant begun = Instant.EPOCH;
  private Instant probeAt = Instant.EPOCH;
  private Instant lookAt = Instant.EPOCH;
  private Duration lookPause = FIRST_LOOK;
  private boolean failing;

  /**
   * The result of a probe.
   *
   * @param run the start of the program that was asked
   * @param why it is not ready; empty when it is
   */
  private record Result(int run, String why) {}

  ReplicaProbes(ReplicaTools tools, WorkloadSpec spec, Runnable nudge) {
    this.tools = tools;
    this.spec = spec;
    this.nudge = nudge;
  }

  ReplicaEndpoints endpoints() {
    return endpoints;
  }

  /** The ports that the next program is given. */
  void given(Map<String, Integer> ports) {
    endpoints =
        ports.isEmpty() && !spec.ports().isEmpty()
            ? new ReplicaEndpoints(Map.of(), false, 0)
            : ReplicaEndpoints.given(ports);
    given = ports;
  }

  /** The endpoints of a program that an earlier server found. */
  void found(Map<String, String> addresses) {
    int fixed = 0;
    for (WorkloadPort port : spec.ports()) {
      String address = addresses.getOrDefault(port.name(), "");
      Integer mine = given.get(port.name());
      if (mine != null && mine != port.number() && address.endsWith(":" + port.number())) {
        fixed = port.number();
      }
    }
    endpoints = new ReplicaEndpoints(addresses, true, fixed);
  }

  /** A program has begun. */
  void begin(int number, Instant now) {
    run = number;
    begun = now;
    lookPause = FIRST_LOOK;
    probeAt = now.plus(Pauses.SHORTEST);
    lookAt = now.plus(FIRST_LOOK);
    failing = false;
    asking = false;
    result.set(null);
  }

  /** Looks at the sockets of the program when it is time; whether an endpoint has changed. */
  boolean look(ReplicaProgram program, Instant now) throws IOException {
    if (endpoints.complete() || now.isBefore(lookAt)) {
      return false;
    }
    ReplicaEndpoints before = endpoints;
    endpoints = program.endpoints(spec.ports(), given);
    lookPause = min(lookPause.multipliedBy(2), LONGEST_LOOK);
    lookAt = now.plus(now.isAfter(begun.plus(OFTEN_UNTIL)) ? SELDOM : lookPause);
    return !before.addresses().equals(endpoints.addresses());
  }

  /**
   * The result of the last probe, once; without a probe a program is ready as it runs.
   *
   * @return empty when it is ready, a sentence when it is not, null when nothing is known
   */
  @Nullable String take(ReplicaState state) {
    if (spec.readiness() == null) {
      return state == ReplicaState.STARTING ? "" : null;
    }
    Result last = result.getAndSet(null);
    if (last == null || last.run != run) {
      return null;
    }
    failing = !last.why.isEmpty();
    return last.why;
  }

  /** Sends a probe when it is time; the instant of the next look. */
  Instant next(ReplicaState state, Instant now) {
    Instant look = endpoints.complete() ? NEVER : lookAt;
    Probe probe = spec.readiness();
    Instant rest = now.plus(rest());
    if (probe == null) {
      return min(look, rest);
    }
    if (!asking && !now.isBefore(probeAt)) {
      resting = state == ReplicaState.READY && !failing;
      send(probe);
      probeAt = resting ? rest : now.plus(pause(state, now, probe.interval()));
    } else if (failing) {
      probeAt = min(probeAt, now.plus(probe.interval()));
    }
    return min(look, asking ? rest : probeAt);
  }

  private Duration pause(ReplicaState state, Instant now, Duration longest) {
    return state == ReplicaState.STARTING ? Pauses.ofProbes(begun, now, longest) : longest;
  }

  /** With a tenth more or less, so that probes of many replicas spread. */
  private Duration rest() {
    long millis = tools.settings().rest().toMillis();
    return Duration.ofMillis(millis - millis / 10 + tools.random().nextLong(millis / 5 + 1));
  }

  private void send(Probe probe) {
    String address = endpoints.addresses().get(probe.port());
    if (address == null) {
      return;
    }
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    int asked = run;
    asking = true;
    tools
        .machine()
        .probe(probe, host, Integer.parseInt(address.substring(colon + 1)))
        .onComplete(
            good -> take(asked, ""),
            e -> take(asked, Objects.requireNonNullElse(e.getMessage(), e.toString())));
  }

  private void take(int asked, String why) {
    if (asked != run) {
      return;
    }
    asking = false;
    if (!resting || !why.isEmpty()) {
      result.set(new Result(asked, why));
      nudge.run();
    }
  }

  /** Looks whether a port that has answered belongs to another program; 0 when none does. */
  int stranger(ReplicaProgram program) throws IOException {
    Probe probe = spec.readiness();
    Integer port = probe == null ? null : given.get(probe.port());
    if (port == null) {
      return 0;
    }
    ReplicaEndpoints seen = program.endpoints(spec.ports(), given);
    if (!seen.complete() && program.isStrangers(port)) {
      return port;
    }
    endpoints = seen;
    return 0;
  }

  private static Instant min(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
