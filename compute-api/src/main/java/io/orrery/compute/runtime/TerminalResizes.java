package io.orrery.compute.runtime;

import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the size of a terminal, made one after the other: of those that come while one is
 * being made only the last counts. A window that is drawn larger tells of dozens within a second,
 * and the size that it has in the end must be the one that stays. Thread safe.
 */
public final class TerminalResizes {
  private record Change(TerminalSize size, Promise<Void> done) {}

  private final Function<TerminalSize, Future<Void>> make;
  private @Nullable Change next;
  private boolean busy;

  /**
   * @param make changes the size; called by one thread at a time, and by the next one when its
   *     future is complete
   */
  public TerminalResizes(Function<TerminalSize, Future<Void>> make) {
    this.make = make;
  }

  /** Changes the size; completes when it, or one that came after it, is set. */
  public Future<Void> to(TerminalSize size) {
    Change wanted;
    synchronized (this) {
      Change waiting = next;
      wanted = new Change(size, waiting == null ? Promise.promise() : waiting.done());
      next = wanted;
      if (busy) {
        return wanted.done().future();
      }
      busy = true;
    }
    makeNext();
    return wanted.done().future();
  }

  private void makeNext() {
    Change change;
    synchronized (this) {
      change = next;
      next = null;
      if (change == null) {
        busy = false;
        return;
      }
    }
    make.apply(change.size())
        .onComplete(made -> {
          change.done().handle(made);
          makeNext();
        });
  }
}
