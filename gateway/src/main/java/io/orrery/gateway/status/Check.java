package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A check of the server.
 *
 * @param name of the result when there is no other
 * @param fresh how long a result is kept
 * @param advice what to do when it fails or takes too long
 * @param look finds the results, and does not block
 */
record Check(String name, Duration fresh, String advice, Supplier<Future<List<CheckResult>>> look) {
  /** How long what may change at any moment is kept. */
  static final Duration SOON = Duration.ofSeconds(5);

  /** How long what changes slowly is kept. */
  static final Duration LATER = Duration.ofSeconds(30);

  /** A check with one result. */
  static Check one(String name, Duration fresh, String advice, Supplier<Future<CheckResult>> look) {
    return new Check(name, fresh, advice, () -> look.get().map(List::of));
  }

  /** The check with what it has found last. */
  Latest<List<CheckResult>> kept(Clock clock) {
    return new Latest<>(
        clock,
        fresh,
        look,
        failure -> List.of(failed(name, advice, failure)),
        () -> List.of(late(name, advice)));
  }

  /** A part that another server should have is not known to be broken. */
  static CheckResult failed(String name, String advice, Throwable failure) {
    Problem problem = Problem.of(failure);
    return problem instanceof Problem.Passing
        ? CheckResult.unknown(name, problem.detail(), advice)
        : CheckResult.failed(name, problem.detail(), advice);
  }

  /** The result of a check that has not answered in time. */
  static CheckResult late(String name, String advice) {
    return CheckResult.unknown(name, "there is no answer yet", advice);
  }
}
