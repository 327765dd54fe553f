package io.orrery.studio.password;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Hashes and checks passwords on two threads of its own. The queue is bounded: a flood of sign-ins
 * is answered Busy, and holds up nothing else.
 */
public final class Passwords {
  private static final int THREADS = 2;
  private static final int MOST_WAITING = 64;

  private final WorkerExecutor workers;
  private final RandomGenerator random;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param random must be a cryptographic source
   */
  public Passwords(Vertx vertx, RandomGenerator random) {
    this.workers = vertx.createSharedWorkerExecutor("passwords", THREADS);
    this.random = random;
  }

  /** The PHC string of a password. */
  public Future<String> hash(String password) {
    return work(() -> PasswordHash.of(password, random));
  }

  /** Whether a password fits a PHC string. */
  public Future<Boolean> matches(String password, String stored) {
    return work(() -> PasswordHash.matches(password, stored));
  }

  /** Takes the time of a check, and answers no. */
  public Future<Boolean> matchesNoAccount(String password) {
    return work(() -> PasswordHash.matches(password, PasswordHash.OF_NONE)).map(fits -> false);
  }

  private <T> Future<T> work(Callable<T> task) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return Future.failedFuture(
          new Problem.Busy("Too many people sign in at once.", Duration.ofSeconds(2))
              .toException());
    }
    return workers.executeBlocking(task, false).onComplete(done -> waiting.decrementAndGet());
  }

  /** Ends the threads; what they have begun is finished. */
  public Future<Void> close() {
    return workers.close();
  }
}
