package io.orrery.studio.retention;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditTable;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The old entries of the audit log, which are counted and removed together. */
public final class OldEntries implements OldObjects {
  private final Store store;
  private final AuditTable audit;

  public OldEntries(Store store, AuditTable audit) {
    this.store = store;
    this.audit = audit;
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return audit
        .older(before)
        .map(found ->
            new Found(
                found.stream()
                    .map(old ->
                        new OldObject(
                            Kind.AUDIT,
                            old.count() + " entries",
                            null,
                            old.count(),
                            old.first(),
                            null))
                    .toList(),
                null));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    return store.write(List.of(audit.forget(before)));
  }
}
