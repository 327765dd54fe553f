package io.orrery.core.async;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A queue for each key: what is done for one key is done one after the other, in the order of the
 * calls, and beside what is done for others. A failure does not hold up the next. For one event
 * loop.
 *
 * @param <K> of the keys; one is forgotten when nothing waits for it
 */
public final class KeyedTurns<K> {
  private final Map<K, Future<?>> last = new HashMap<>();

  /** Does something after all that was asked for its key before; at once when that is done. */
  public <T> Future<T> run(K key, Supplier<Future<T>> what) {
    Future<?> before = last.getOrDefault(key, Future.succeededFuture());
    Future<T> turn = before.transform((done, failure) -> what.get());
    last.put(key, turn);
    return turn.onComplete(done -> last.remove(key, turn));
  }
}
