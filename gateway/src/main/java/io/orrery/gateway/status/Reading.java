package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is shown as it is, and that checks are made of.
 *
 * @param value empty when it could not be had
 * @param fault why; null when it was
 */
record Reading<T>(T value, @Nullable CheckResult fault) {
  /** The checks that are made of it: the fault alone where there is one. */
  List<CheckResult> checked(Function<T, List<CheckResult>> check) {
    return fault == null ? check.apply(value) : List.of(fault);
  }

  /**
   * A reading with what was read last.
   *
   * @param none the value when it cannot be had
   */
  static <T> Latest<Reading<T>> kept(
      Clock clock,
      String name,
      Duration fresh,
      String advice,
      Supplier<Future<T>> question,
      T none) {
    return new Latest<>(
        clock,
        fresh,
        () -> question.get().map(value -> new Reading<>(value, null)),
        failure -> new Reading<>(none, Check.failed(name, advice, failure)),
        () -> new Reading<>(none, Check.late(name, advice)));
  }
}
