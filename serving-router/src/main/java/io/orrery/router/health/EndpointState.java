package io.orrery.router.health;

import io.netty.handler.ssl.SslContext;
import io.orrery.router.route.Candidate;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.EndpointTls;
import io.orrery.router.route.Service;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The state of one endpoint of one service. */
public final class EndpointState implements Candidate {
  /** The time in which an endpoint that came back gets fewer requests, and its first share. */
  private static final Duration SLOW_START = Duration.ofSeconds(10);

  private static final double COLDEST = 0.1;

  private static final AtomicIntegerFieldUpdater<EndpointState> COPIES =
      AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "copies");

  private static final AtomicLongFieldUpdater<EndpointState> COST =
      AtomicLongFieldUpdater.newUpdater(EndpointState.class, "cost");

  private static final AtomicIntegerFieldUpdater<EndpointState> BAD_IN_ROW =
      AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "badInRow");

  private final EndpointAddress address;
  private final Service.Protocol protocol;
  private final @Nullable EndpointTls tls;
  private final @Nullable SslContext context;
  private final long identity;
  private final Tally outstanding;
  private final LongAdder ejections = new LongAdder();
  private final Set<EndpointState> unsettled;
  private volatile int copies;
  private volatile long cost;
  private volatile int badInRow;
  private volatile boolean answersProbes = true;
  private volatile boolean ejected;
  private volatile double warmth = 1;
  private volatile long backAt;

  /**
   * @param tls null when it has none
   * @param context what it is for channels; null without TLS
   * @param loops how many send requests to it
   * @param unsettled where it registers while time changes it: of very many endpoints hardly any
   */
  EndpointState(
      EndpointAddress address,
      Service.Protocol protocol,
      @Nullable EndpointTls tls,
      @Nullable SslContext context,
      int loops,
      Set<EndpointState> unsettled) {
    this.outstanding = new Tally(loops);
    this.unsettled = unsettled;
    this.address = address;
    this.protocol = protocol;
    this.tls = tls;
    this.context = context;
    this.identity = address.toString().hashCode() * 0x9E3779B97F4A7C15L;
  }

  public EndpointAddress address() {
    return address;
  }

  public Service.Protocol protocol() {
    return protocol;
  }

  /** Its TLS; null when it has none. */
  public @Nullable EndpointTls tls() {
    return tls;
  }

  /** Its TLS for a channel; null when it has none. */
  public @Nullable SslContext context() {
    return context;
  }

  @Override
  public boolean available() {
    return answersProbes && !ejected;
  }

  @Override
  public int outstanding() {
    return outstanding.sum();
  }

  @Override
  public long cost() {
    return cost;
  }

  @Override
  public double warmth() {
    return warmth;
  }

  @Override
  public long identity() {
    return identity;
  }

  /** Whether the last probes were good; true as well without probes. */
  public boolean answersProbes() {
    return answersProbes;
  }

  public boolean ejected() {
    return ejected;
  }

  /** The number of times that it was ejected for bad answers. */
  public long ejections() {
    return ejections.sum();
  }

  /**
   * A request is on its way to it.
   *
   * @param loop who sends it, from 0
   * @param declared its cost; 0 where costs do not count
   */
  public void begin(int loop, int declared) {
    outstanding.add(loop, 1);
    if (declared != 0) {
      COST.addAndGet(this, declared);
    }
  }

  /** Ends a request. */
  public void end(int loop, int declared) {
    outstanding.add(loop, -1);
    if (declared != 0) {
      COST.addAndGet(this, -declared);
    }
  }

  /** A copy of a request is on its way to it, whose answer no client waits for. */
  public void beginCopy(int loop) {
    begin(loop, 0);
    COPIES.incrementAndGet(this);
  }

  /** Ends a copy. */
  public void endCopy(int loop) {
    end(loop, 0);
    COPIES.decrementAndGet(this);
  }

  /** The requests that clients wait for: those that are outstanding, without the copies. */
  public int requests() {
    return Math.max(0, outstanding() - copies);
  }

  /** Bad answers in a row, this one included. */
  int bad() {
    return BAD_IN_ROW.incrementAndGet(this);
  }

  void good() {
    // Read first: a shared line that no core writes stays in every core's cache.
    if (badInRow != 0) {
      badInRow = 0;
    }
  }

  void probed(boolean well, long now) {
    if (well && !answersProbes) {
      comeBack(now);
    }
    answersProbes = well;
  }

  /**
   * @param until when it may come back, nanoseconds of the same clock as in {@link #tick}
   */
  void eject(long until) {
    ejections.increment();
    backAt = until;
    ejected = true;
    unsettled.add(this);
  }

  /** Takes back an endpoint that was ejected long enough, and raises its share over time. */
  void tick(long now) {
    if (ejected) {
      if (now - backAt >= 0) {
        comeBack(now);
        ejected = false;
      }
    } else if (warmth < 1) {
      warmth = Math.min(1, COLDEST + (double) (now - backAt) / SLOW_START.toNanos());
    }
    if (settled()) {
      unsettled.remove(this);
      if (!settled()) {
        // Another loop found fault with it just then.
        unsettled.add(this);
      }
    }
  }

  private boolean settled() {
    return !ejected && warmth >= 1;
  }

  private void comeBack(long now) {
    badInRow = 0;
    warmth = COLDEST;
    backAt = now;
    unsettled.add(this);
  }
}
