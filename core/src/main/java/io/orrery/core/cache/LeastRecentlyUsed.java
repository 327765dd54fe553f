package io.orrery.core.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that holds a bounded number of entries: a new one beyond it takes the place of the one that
 * was used least recently. Reading is a use, so it belongs to one thread.
 */
public final class LeastRecentlyUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;
  private static final int BUCKETS = 16;
  private static final float LOAD = 0.75f;

  private final int most;

  /**
   * @param most entries, 1 or more
   */
  public LeastRecentlyUsed(int most) {
    super(BUCKETS, LOAD, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
