package io.orrery.core.lease;

import io.orrery.core.sql.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A membership from its first heartbeat to its end, with the leases that end with it. */
final class MembershipSession {
  /** Told so often within a life, so that two words may get lost. */
  private static final int WORDS = 3;

  private final Member member;
  private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();

  /** By {@link System#nanoTime}. */
  private volatile long until;

  private boolean over;
  private volatile boolean lost;

  MembershipSession(Member member, long until) {
    this.member = member;
    this.until = until;
  }

  Member member() {
    return member;
  }

  /** Does nothing when the word that it answers for came too late. */
  synchronized void liveUntil(long later) {
    if (!isOver()) {
      until = later;
    }
  }

  /**
   * Once it is not, it never is again: what was refused or dropped in between, by those who asked
   * here, would be missing to those who went on as if nothing had been.
   */
  boolean alive() {
    return !lost && (until - System.nanoTime() > 0 || !isOver());
  }

  private synchronized boolean isOver() {
    over |= until - System.nanoTime() <= 0;
    return over;
  }

  /** Whether it is time to say again that it lives. */
  boolean isDue(Duration life) {
    return until - System.nanoTime() < life.toNanos() * (WORDS - 1) / WORDS;
  }

  Lease hold(Store store, String name, long epoch) {
    HeldLease lease = new HeldLease(this, store, name, epoch);
    leases.add(lease);
    if (lost) {
      lease.lose();
    }
    return lease;
  }

  void letGo(HeldLease lease) {
    leases.remove(lease);
  }

  int holding() {
    return leases.size();
  }

  void lose() {
    lost = true;
    List.copyOf(leases).forEach(HeldLease::lose);
  }
}
