package io.orrery.compute.runtime.replica;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps that are taken when there is something to do, one after the other, each on a thread of an
 * executor. Any number of nudges during a step lead to one more. Thread safe.
 */
final class NudgedSteps {
  private static final Logger LOG = LoggerFactory.getLogger(NudgedSteps.class);

  private final Executor executor;
  private final Step step;
  private final Consumer<Exception> failed;
  private final AtomicInteger nudges = new AtomicInteger();
  private volatile boolean begun;

  /** A step, which may block. */
  @FunctionalInterface
  interface Step {
    void take() throws IOException;
  }

  /**
   * @param failed told of a step that has failed, unless the executor is closing
   */
  NudgedSteps(Executor executor, Step step, Consumer<Exception> failed) {
    this.executor = executor;
    this.step = step;
    this.failed = failed;
  }

  /** Takes the first step; what is told before is found by it. */
  void begin() {
    begun = true;
    nudge();
  }

  /** Has a step taken soon; none before the first, and none once the executor is closed. */
  void nudge() {
    if (begun && nudges.getAndIncrement() == 0) {
      try {
        executor.execute(this::work);
      } catch (RejectedExecutionException closed) {
        LOG.trace("dropping a step: the runtime is closed");
      }
    }
  }

  private void work() {
    for (int done = nudges.get(); done > 0; done = nudges.addAndGet(-done)) {
      try {
        step.take();
      } catch (IOException | RuntimeException e) {
        if (!Thread.currentThread().isInterrupted()) {
          failed.accept(e);
        }
      }
    }
  }
}
