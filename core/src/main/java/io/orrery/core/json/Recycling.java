package io.orrery.core.json;

import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;

/**
 * Keeps the buffers of readers and writers for their next use. A thread that lives on has its own.
 * A virtual thread ends after its one piece of work, and would leave twenty kilobytes of garbage
 * each time: these hand them on.
 */
final class Recycling implements RecyclerPool<BufferRecycler> {
  private static final long serialVersionUID = 1L;

  private static final RecyclerPool<BufferRecycler> OWN = JsonRecyclerPools.threadLocalPool();
  private static final RecyclerPool<BufferRecycler> SHARED =
      JsonRecyclerPools.sharedConcurrentDequePool();

  private static RecyclerPool<BufferRecycler> pool() {
    return Thread.currentThread().isVirtual() ? SHARED : OWN;
  }

  @Override
  public BufferRecycler acquireAndLinkPooled() {
    return pool().acquireAndLinkPooled();
  }

  @Override
  public BufferRecycler acquirePooled() {
    return pool().acquirePooled();
  }

  @Override
  public void releasePooled(BufferRecycler pooled) {
    pool().releasePooled(pooled);
  }
}
