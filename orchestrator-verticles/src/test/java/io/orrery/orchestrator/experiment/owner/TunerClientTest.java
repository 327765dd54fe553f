package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.BareSpec;
import io.orrery.orchestrator.experiment.model.Decision;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tells a tuner how trials ended. */
class TunerClientTest {
  private static final Duration GATHERING = Duration.ofMillis(200);
  private static final ExperimentId ID = new ExperimentId("exp00001");
  private static final String PLACE = Owners.place(ID, 1) + ".1";
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final Context loop = vertx.getOrCreateContext();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<Promise<Tuners.Suggestions>> asked = new CopyOnWriteArrayList<>();
  private volatile int present = 1;

  private final TunerClient line =
      new TunerClient(bus, clock, false, ID, 1, which -> which == present, occurrence -> {});

  @BeforeEach
  void open() throws TimeoutException {
    get(bus.serve(Tuners.OPEN, open -> Future.succeededFuture(new Tuners.Opened(0))));
    get(
        bus.serve(
            Tuners.TELL.of(PLACE),
            tell -> {
              said.add("told " + tell.results().stream().map(Trials.Settled::ordinal).toList());
              return Future.succeededFuture(new Tuners.Told());
            }));
    get(
        bus.serve(
            Tuners.ASK.of(PLACE),
            ask -> {
              said.add("asked" + (ask.news().isEmpty() ? "" : " knowing " + ordinals(ask.news())));
              asked.add(Promise.promise());
              return asked.getLast().future();
            }));
    get(
        bus.serve(
            Tuners.CLOSE.of(PLACE),
            close -> {
              said.add("closed");
              return Future.succeededFuture(new Tuners.Told());
            }));
    run(() -> line.open(new Decision.OpenTuner(1, BareSpec.on("local", "true", "/code"), 0)));
    while (run(line::assessor) == null) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void close() throws TimeoutException {
    get(vertx.close());
  }

  @Test
  void whatEndsGathersForAShortWhile() {
    tell(5, 6, 7);
    assertThat(run(() -> List.copyOf(said))).isEmpty();
    run(() -> clock.advance(GATHERING));

    assertSaid("told [5, 6, 7]");
  }

  @Test
  void itKnowsAllBeforeItIsAsked() {
    tell(5, 6);
    ask();

    assertSaid("asked knowing [5, 6]");
  }

  @Test
  void whatCameWithAQuestionThatFailedComesWithTheNext() {
    tell(5, 6);
    ask();
    assertSaid("asked knowing [5, 6]");
    asked.getFirst().fail(new Problem.Busy("it thinks", Duration.ZERO).toException());
    tell(7);
    run(() -> clock.advance(Duration.ofSeconds(1)));

    assertSaid("asked knowing [5, 6]", "told [5, 6, 7]", "asked");
  }

  @Test
  void whileItThinksItIsToldAtOnceAndAfterThatNotAnyMore() {
    ask();
    tell(5);
    assertSaid("asked", "told [5]");

    asked.getFirst().complete(new Tuners.Suggestions(List.of(), false));
    tell(6);
    tell(7);
    run(() -> clock.advance(GATHERING));
    assertSaid("asked", "told [5]", "told [6, 7]");
  }

  @Test
  void whoAsksTheAssessorFindsThatItKnowsAll() {
    tell(5);
    run(line::assessor);

    assertSaid("told [5]");
  }

  @Test
  void itKnowsAllBeforeItIsClosed() {
    tell(5, 6);
    run(line::close);

    assertSaid("told [5, 6]", "closed");
  }

  @Test
  void whatWasMeantForOneThatWasReplacedIsInTheHistoryOfTheNext() {
    tell(5);
    present = 2;
    run(() -> clock.advance(GATHERING));
    run(line::close);

    assertSaid("closed");
  }

  private static List<Long> ordinals(List<Trials.Settled> results) {
    return results.stream().map(Trials.Settled::ordinal).toList();
  }

  private void ask() {
    run(() -> line.ask(new Decision.Ask(1, 1, 0)));
  }

  private void tell(long... ordinals) {
    run(() -> {
      for (long ordinal : ordinals) {
        line.tell(
            new Decision.Tell(
                1,
                new Trials.Settled(
                    ordinal,
                    new TrialId("t" + ordinal),
                    "7",
                    Parameters.EMPTY,
                    TrialStatus.SUCCEEDED,
                    MetricValue.of(1))));
      }
    });
  }

  private void assertSaid(String... words) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (said.size() < words.length) {
      assertThat(System.nanoTime()).as("it was said in time").isLessThan(end);
      Thread.onSpinWait();
    }
    assertThat(said).containsExactly(words);
  }

  private void run(Runnable action) {
    run(() -> {
      action.run();
      return true;
    });
  }

  private <T> T run(java.util.function.Supplier<T> action) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> done.complete(action.get()));
    return done.future().await();
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }
}
