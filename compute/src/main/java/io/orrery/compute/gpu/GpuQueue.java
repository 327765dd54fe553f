package io.orrery.compute.gpu;

import io.orrery.compute.gpu.GpuPlan.Granted;
import io.orrery.compute.gpu.GpuSight.Absent;
import io.orrery.compute.gpu.GpuSight.Failed;
import io.orrery.compute.gpu.GpuSight.Seen;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.GpuReport.Gpu;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of programs that wait for GPUs: attempts and replicas of workloads. Devices are given
 * away only right after a look at them, so that a process that was started meanwhile is seen. A
 * look is taken when a program comes and when one gives its devices back, and then every {@value
 * #PERIOD_SECONDS} seconds as long as any program waits, and not at all when none does. A look that
 * fails is repeated with a pause that doubles up to a minute. Thread safe; nothing here blocks,
 * looks are taken on the executor.
 */
public final class GpuQueue {
  private static final int PERIOD_SECONDS = 5;
  private static final Duration PERIOD = Duration.ofSeconds(PERIOD_SECONDS);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 6;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /**
   * A program that waits for devices. Called with the queue's lock held: must not block, and must
   * not throw.
   */
  public interface Waiter {
    /** It goes on waiting, for this reason. */
    void waits(String reason);

    /** Its time has come; it holds these devices until {@link GpuQueue#release}. */
    void granted(GpuGrant grant);
  }

  private final Supplier<GpuSight> probe;
  private final GpuCensus.Source census;
  private final Clock clock;
  private final Executor threads;
  private final GpuPlan plan = new GpuPlan();
  private final Map<GpuUser, Waiter> waiters = new HashMap<>();

  private boolean closed;
  private boolean looking;
  private boolean lookAgain;
  private int failures;
  private @Nullable String failure;
  private @Nullable Instant seenAt;
  private Clock.@Nullable Timer next;

  /**
   * @param probe looks at the devices; may block, on a thread of the executor
   * @param census knows our own processes; may block likewise
   * @param threads may refuse, which closes the queue
   */
  public GpuQueue(
      Supplier<GpuSight> probe, GpuCensus.Source census, Clock clock, Executor threads) {
    this.probe = probe;
    this.census = census;
    this.clock = clock;
    this.threads = threads;
  }

  /** A program waits until it is granted devices, or is withdrawn. */
  public synchronized void request(GpuUser user, GpuRequest request, Waiter waiter) {
    waiters.put(user, waiter);
    plan.want(user, request);
    String known = failure;
    if (known != null) {
      waiter.waits(reason(known));
    }
    lookSoon();
  }

  /** A program waits no longer and is never granted anything; whether it waited until now. */
  public synchronized boolean withdraw(GpuUser user) {
    waiters.remove(user);
    boolean waited = plan.withdraw(user);
    if (waited) {
      lookSoon();
    }
    return waited;
  }

  /** A program is over, its processes are gone: what it held is free. */
  public synchronized void release(GpuUser user) {
    if (plan.release(user)) {
      lookSoon();
    }
  }

  /**
   * How many more programs of this kind would be served at once, going by the last look; null when
   * there was none, or it failed.
   */
  public synchronized @Nullable Integer free(GpuRequest request) {
    return seenAt == null || failure != null
        ? null
        : Integer.valueOf(Math.max(0, plan.room(request) - waiters.size()));
  }

  /** What is known now, without a look. */
  public synchronized GpuReport report() {
    return new GpuReport(
        seenAt,
        failure,
        plan.devices().stream()
            .map(device ->
                new Gpu(
                    device.index(),
                    device.name(),
                    device.memory(),
                    plan.holders(device).stream()
                        .filter(GpuUser.Trial.class::isInstance)
                        .map(user -> ((GpuUser.Trial) user).attempt())
                        .toList(),
                    plan.holders(device).stream()
                        .filter(GpuUser.Program.class::isInstance)
                        .map(user -> ((GpuUser.Program) user).replica())
                        .toList(),
                    device.fault() != null ? device.fault() : plan.othersOn(device)))
            .toList(),
        waiters.size());
  }

  /** Looks if it never has, though no program waits: who holds what is known only then. */
  public synchronized void lookOnce() {
    if (!closed && !looking && seenAt == null && failures == 0) {
      look();
    }
  }

  /**
   * Another server, or another part of this one, has these programs from now on: they wait no
   * longer, and hold what they hold as long as the census knows them.
   */
  public synchronized void leave(Set<? extends GpuUser> users) {
    for (GpuUser user : users) {
      waiters.remove(user);
      plan.withdraw(user);
      plan.leave(user);
    }
    lookSoon();
  }

  /** Looks no more, and grants nothing more. */
  public synchronized void close() {
    closed = true;
    cancelNext();
  }

  private void lookSoon() {
    if (closed || waiters.isEmpty()) {
      return;
    }
    if (looking) {
      lookAgain = true;
    } else if (failures == 0 || next == null) {
      look();
    }
  }

  private void look() {
    cancelNext();
    looking = true;
    lookAgain = false;
    try {
      threads.execute(this::lookNow);
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  private synchronized void lookOnTime() {
    next = null;
    if (!closed && !looking && !waiters.isEmpty()) {
      look();
    }
  }

  private void lookNow() {
    GpuSight sight;
    GpuCensus taken = GpuCensus.NONE;
    try {
      sight = probe.get();
      // After the devices: a process seen there is ours only if it is known to be.
      taken = sight instanceof Seen ? census.take() : taken;
    } catch (IOException | RuntimeException e) {
      sight = new Failed("the machine's processes cannot be listed: " + e);
    }
    looked(sight, taken);
  }

  private synchronized void looked(GpuSight sight, GpuCensus taken) {
    looking = false;
    if (closed) {
      return;
    }
    failure =
        switch (sight) {
          case Seen seen -> null;
          case Absent absent -> "there is no program nvidia-smi on the server's PATH";
          case Failed failed -> failed.why();
        };
    if (sight instanceof Seen seen) {
      failures = 0;
      seenAt = clock.now();
      plan.seen(seen.devices(), taken);
      for (Granted granted : plan.grant()) {
        Objects.requireNonNull(waiters.remove(granted.user())).granted(granted.grant());
      }
    } else {
      failures++;
    }
    if (lookAgain && failures == 0) {
      lookSoon();
    } else if (!waiters.isEmpty()) {
      String known = failure;
      waiters.forEach(
          (user, waiter) -> waiter.waits(known == null ? plan.reason(user) : reason(known)));
      next = clock.after(pause(), this::lookOnTime);
    }
  }

  private static String reason(String failure) {
    return "waits for GPUs, but " + failure + "; it is tried again";
  }

  private Duration pause() {
    if (failures == 0) {
      return PERIOD;
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }

  private void cancelNext() {
    Clock.Timer pending = next;
    next = null;
    if (pending != null) {
      pending.cancel();
    }
  }
}
