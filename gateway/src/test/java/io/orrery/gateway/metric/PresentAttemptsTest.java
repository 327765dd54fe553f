package io.orrery.gateway.metric;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.Samples;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PresentAttemptsTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final Bus bus = Bus.of(vertx);
  private final PresentAttempts attempts = new PresentAttempts(bus, clock);

  /** What was asked and is not answered. */
  private final BlockingQueue<Promise<Trial>> asked = new LinkedBlockingQueue<>();

  @BeforeEach
  void serve() throws Exception {
    bus.serve(
            Trials.GET,
            question -> {
              Promise<Trial> answer = Promise.promise();
              asked.add(answer);
              return answer.future();
            })
        .await(30, SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(30, SECONDS);
  }

  private <T> T onTheLoop(Supplier<T> call) throws Exception {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> done.complete(call.get()));
    return done.future().await(30, SECONDS);
  }

  private Future<Void> learn() throws Exception {
    return onTheLoop(() -> attempts.learn(Map.of(Samples.TRIAL, 1), (trial, attempt) -> {}));
  }

  private int find() throws Exception {
    return onTheLoop(() -> attempts.find(Samples.TRIAL));
  }

  private void answer(int attempt) throws Exception {
    asked
        .poll(30, SECONDS)
        .complete(Samples.trial(TrialStatus.RUNNING, attempt, null, Samples.THEN));
  }

  @Test
  void whileOneAsksAnewTheOthersGoByWhatWasKnown() throws Exception {
    Future<Void> first = learn();
    assertThat(find()).isEqualTo(PresentAttempts.UNKNOWN);
    answer(2);
    first.await(30, SECONDS);
    assertThat(find()).isEqualTo(2);

    clock.advance(Duration.ofHours(1));
    assertThat(find()).isEqualTo(PresentAttempts.UNKNOWN);
    Future<Void> again = learn();
    assertThat(find()).isEqualTo(2);

    answer(3);
    again.await(30, SECONDS);
    assertThat(find()).isEqualTo(3);
  }

  @Test
  void aTrialThatIsGoneIsNotKnownAnyMore() throws Exception {
    Future<Void> first = learn();
    answer(1);
    first.await(30, SECONDS);
    clock.advance(Duration.ofHours(1));
    Future<Void> again = learn();
    asked.poll(30, SECONDS).fail(new Problem.NotFound("It is gone.").toException());

    assertThat(again.transform(Future::succeededFuture).await(30, SECONDS).failed()).isTrue();
    assertThat(find()).isEqualTo(PresentAttempts.UNKNOWN);
  }
}
