package io.orrery.studio.retention;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds and removes the old objects of a kind. */
public interface OldObjects {
  /**
   * A page of old objects.
   *
   * @param next the cursor of the next page; null after the last
   * @param unread the number of places that could not be looked into
   */
  record Found(List<OldObject> items, @Nullable String next, long unread) {
    public Found {
      items = List.copyOf(items);
    }

    /** A page for which all places could be looked into. */
    public Found(List<OldObject> items, @Nullable String next) {
      this(items, next, 0);
    }
  }

  /**
   * A page of those that are old since a time.
   *
   * @param cursor null for the first page; it stays valid when objects are removed
   */
  Future<Found> find(Instant before, @Nullable String cursor, int limit);

  /** Removes one; fails with Conflict when it is in use, or not old any more. */
  Future<?> remove(Actor by, OldObject object, Instant before);
}
