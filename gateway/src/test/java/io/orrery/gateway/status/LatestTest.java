package io.orrery.gateway.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.VirtualClock;
import io.orrery.gateway.status.Latest.Told;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A value that many ask for, and that is looked for seldom. */
class LatestTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final VirtualClock clock = new VirtualClock(BEGIN);
  private final List<Promise<String>> asked = new ArrayList<>();
  private final Latest<String> latest =
      new Latest<>(clock, FRESH, this::ask, failure -> "failed", () -> "late");

  private Future<String> ask() {
    Promise<String> promise = Promise.promise();
    asked.add(promise);
    return promise.future();
  }

  @Test
  void askingOftenLooksOnce() {
    for (int i = 0; i < 100; i++) {
      latest.now();
    }
    assertThat(asked).hasSize(1);

    asked.getFirst().complete("found");
    clock.advance(FRESH.minusMillis(1));

    assertThat(latest.now().result()).isEqualTo(new Told<>("found", BEGIN));
    assertThat(asked).hasSize(1);
  }

  @Test
  void anOldValueIsLookedForAgain() {
    latest.now();
    asked.getFirst().complete("found");
    clock.advance(FRESH);

    Future<Told<String>> next = latest.now();
    asked.get(1).complete("found again");

    assertThat(next.result()).isEqualTo(new Told<>("found again", BEGIN.plus(FRESH)));
  }

  @Test
  void oneThatDoesNotAnswerIsWaitedForOnceAndNoLongerThanThePatience() {
    Future<Told<String>> first = latest.now();
    assertThat(first.isComplete()).isFalse();

    clock.advance(Latest.TIMEOUT);

    assertThat(first.result()).isEqualTo(new Told<>("late", null));
    latest.now();
    assertThat(asked).hasSize(1);

    asked.getFirst().complete("found");
    assertThat(latest.now().result().value()).isEqualTo("found");
  }

  @Test
  void aSlowAnswerLeavesWhatWasKnownForAWhile() {
    latest.now();
    asked.getFirst().complete("found");
    clock.advance(FRESH);
    Future<Told<String>> soon = latest.now();
    clock.advance(Latest.TIMEOUT);
    assertThat(soon.result()).isEqualTo(new Told<>("found", BEGIN));

    clock.advance(FRESH);
    Future<Told<String>> later = latest.now();
    clock.advance(Latest.TIMEOUT);

    assertThat(later.result()).isEqualTo(new Told<>("late", null));
  }

  @Test
  void aFailureIsAValueAndKeptAsLong() {
    Future<Told<String>> first = latest.now();

    asked.getFirst().fail("no database");

    assertThat(first.result()).isEqualTo(new Told<>("failed", BEGIN));
    latest.now();
    assertThat(asked).hasSize(1);
  }

  @Test
  void aQuestionThatThrowsHasFailed() {
    Latest<String> broken =
        new Latest<>(
            clock,
            FRESH,
            () -> {
              throw new IllegalStateException("broken");
            },
            Throwable::getMessage,
            () -> "late");

    assertThat(broken.now().result().value()).isEqualTo("broken");
    assertThat(clock.pending()).isZero();
  }
}
