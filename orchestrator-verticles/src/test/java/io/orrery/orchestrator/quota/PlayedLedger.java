package io.orrery.orchestrator.quota;

import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaScope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A ledger with room for a number of units of one size. */
public final class PlayedLedger {
  private final int room;
  private final Map<QuotaObject, Integer> held = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();

  public PlayedLedger(int room) {
    this.room = room;
  }

  /** Charges an object with what fits. */
  public synchronized HoldAnswer hold(Hold hold, QuotaScope scope) {
    asked.incrementAndGet();
    int others =
        held.entrySet().stream()
            .filter(each -> !each.getKey().equals(hold.object()))
            .mapToInt(Map.Entry::getValue)
            .sum();
    int units = Math.min(hold.wanted(), room - others);
    held.put(hold.object(), units);
    String reason = units < hold.wanted() ? "%1$d of %1$d in use".formatted(room) : null;
    return new HoldAnswer(units, reason, scope);
  }

  /** How many units an object holds; 0 for one that never asked. */
  public int of(QuotaObject object) {
    return held.getOrDefault(object, 0);
  }

  /** Charges an object as an earlier owner has left it. */
  public void left(QuotaObject object, int units) {
    held.put(object, units);
  }

  /** How many units are held. */
  public synchronized long used() {
    return held.values().stream().mapToLong(each -> each).sum();
  }

  /** How often it was asked. */
  public int asked() {
    return asked.get();
  }
}
