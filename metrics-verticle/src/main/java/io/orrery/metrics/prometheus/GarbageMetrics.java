package io.orrery.metrics.prometheus;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Binds the meters of garbage collection, which are read at each scrape. Micrometer's own binder
 * listens to every collection, which costs a sixth of the collection again.
 */
final class GarbageMetrics implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      FunctionTimer.builder(
              "jvm.gc.pause",
              collector,
              GarbageCollectorMXBean::getCollectionCount,
              GarbageCollectorMXBean::getCollectionTime,
              TimeUnit.MILLISECONDS)
          .description("Collections of garbage, by collector")
          .tag("gc", collector.getName())
          .register(registry);
    }
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      FunctionCounter.builder(
              "jvm.gc.memory.allocated", threads, ThreadMXBean::getTotalThreadAllocatedBytes)
          .description("Memory that all threads have asked for")
          .baseUnit("bytes")
          .register(registry);
    }
  }
}
