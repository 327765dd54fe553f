package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests when the changes of the model are handed to the store; the store answers when the test says
 * so.
 */
class StateWriterTest {
  private static final Duration ROUND = Duration.ofMillis(50);
  private static final ExperimentId ID = new ExperimentId("exp00001");
  private static final ExperimentSpec SPEC =
      new ExperimentSpec(
          ExperimentDescription.named("test"),
          SearchSpec.random(
              new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), Direction.MAXIMIZE, 7),
          JobSpec.of("true", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
          ExperimentLimits.of(2, 100L));

  private final Vertx vertx = Vertx.vertx();
  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final Disk disk = new Disk();
  private final List<Decision> carriedOut = new ArrayList<>();
  private final List<AttemptRef> running = new ArrayList<>();
  private ExperimentModel model;
  private StateWriter writer;

  /** Two trials run, two plans more are durable, and the last write is a round ago. */
  @BeforeEach
  void begin() {
    ExperimentRecord record = ExperimentRecord.of(ID, SPEC, clock.now());
    model = new ExperimentModel(record, List.of());
    writer =
        new StateWriter(
            Bus.of(vertx),
            disk,
            clock,
            new OwnLease(),
            model,
            record,
            new StateWriter.Committed() {
              @Override
              public void carryOut(Decision.AfterCommit decision) {
                carriedOut.add(decision);
              }

              @Override
              public void plansAreDurable(List<TrialId> planned) {
                happen(new Occurrence.Committed(planned));
              }
            });
    happen(new Occurrence.Opened());
    happen(new Occurrence.TunerOpened(1, 2));
    happen(suggestions(0, 4));
    while (disk.isAsked()) {
      disk.answer();
    }
    running.forEach(this::start);
    clock.advance(ROUND);
    disk.answer();
    clock.advance(ROUND);
    assertThat(disk.isAsked()).isFalse();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void happen(Occurrence occurrence) {
    for (Decision decision : model.decide(occurrence, clock.now())) {
      switch (decision) {
        case Decision.Submit submit -> running.add(submit.submission().attempt());
        case Decision.AtOnce now -> carriedOut.add(now);
        case Decision.AfterCommit later -> writer.afterCommit(later);
      }
    }
    writer.flush();
  }

  private void start(AttemptRef attempt) {
    happen(
        new Occurrence.Platform(new PlatformEvent.Started(attempt, clock.now(), "/trials/trial")));
  }

  private void note(String note) {
    happen(new Occurrence.Platform(new PlatformEvent.Noted(running.getFirst(), note)));
  }

  private static Occurrence suggestions(long first, int count) {
    return new Occurrence.Suggested(
        1,
        new Tuners.Suggestions(
            LongStream.range(first, first + count)
                .mapToObj(number -> new Tuners.Suggestion(Long.toString(number), Parameters.EMPTY))
                .toList(),
            false));
  }

  @Test
  void theFirstChangeAfterAWhileIsWrittenAtOnce() {
    note("one");

    assertThat(disk.isAsked()).isTrue();
  }

  @Test
  void changesWithoutWaitersAreWrittenInRounds() {
    note("one");
    disk.answer();
    int before = disk.writes;

    note("two");
    clock.advance(ROUND.minusMillis(1));
    note("three");
    assertThat(disk.isAsked()).isFalse();
    clock.advance(Duration.ofMillis(1));

    assertThat(disk.writes).isEqualTo(before + 1);
    disk.answer();
    clock.advance(ROUND);
    assertThat(disk.writes).isEqualTo(before + 1);
  }

  @Test
  void whoWaitsUntilItIsDurableWaitsForNoRound() {
    note("one");
    disk.answer();
    note("two");
    assertThat(disk.isAsked()).isFalse();

    Future<Void> durable = writer.durable();

    assertThat(disk.isAsked()).isTrue();
    assertThat(durable.isComplete()).isFalse();
    disk.answer();
    assertThat(durable.succeeded()).isTrue();
    assertThat(clock.pending()).as("the round is called off").isZero();
  }

  @Test
  void aDecisionThatWaitsForACommitWaitsForNoRound() {
    note("one");
    disk.answer();
    carriedOut.clear();

    happen(new Occurrence.TrialCancelAsked(running.getFirst().trial().trial()));

    assertThat(disk.isAsked()).isTrue();
    assertThat(carriedOut).isEmpty();
    disk.answer();
    assertThat(carriedOut).containsExactly(new Decision.CancelAttempt(running.getFirst()));
  }

  @Test
  void aPlanIsWrittenAtOnceWhenNoOtherIsReadyForTheNextSlot() {
    note("one");
    disk.answer();
    end(running.get(0));
    end(running.get(1));
    assertThat(running).as("both plans were ready").hasSize(4);
    assertThat(disk.isAsked()).isFalse();

    happen(suggestions(4, 2));

    assertThat(disk.isAsked()).isTrue();
  }

  private void end(AttemptRef attempt) {
    happen(new Occurrence.Platform(new PlatformEvent.Vacated(attempt)));
  }

  @Test
  void whatIsNotWrittenWhenItClosesIsWrittenThen() {
    note("one");
    disk.answer();
    note("two");

    Future<Void> closed = writer.close();

    assertThat(disk.isAsked()).isTrue();
    disk.answer();
    assertThat(closed.succeeded()).isTrue();
    note("three");
    clock.advance(ROUND);
    assertThat(disk.isAsked()).isFalse();
  }

  @Test
  void aRowIsWrittenWholeUntilItIsKnownToBeThere() {
    note("one");

    assertThat(disk.rows()).allMatch(sql -> sql.startsWith("update trials set"));
    disk.refuse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(disk.rows())
        .as("the outcome of the first write is unknown")
        .allMatch(sql -> sql.startsWith("insert into trials"));
    disk.answer();
    note("two");
    clock.advance(ROUND);
    assertThat(disk.rows()).allMatch(sql -> sql.startsWith("update trials set"));
  }

  private static final class Disk implements Store {
    private final Queue<Promise<Void>> asked = new ArrayDeque<>();
    private List<Statement> last = List.of();
    private int writes;

    boolean isAsked() {
      return !asked.isEmpty();
    }

    void answer() {
      asked.remove().complete();
    }

    void refuse() {
      asked.remove().fail("the disk does not answer");
    }

    /** The statements of the last write that are about trials. */
    List<String> rows() {
      List<String> rows =
          last.stream().map(Statement::sql).filter(sql -> sql.contains(" trials ")).toList();
      assertThat(rows).isNotEmpty();
      return rows;
    }

    @Override
    public Future<Void> write(List<Statement> statements) {
      writes++;
      last = statements;
      Promise<Void> promise = Promise.promise();
      asked.add(promise);
      return promise.future();
    }

    @Override
    public Engine engine() {
      return Engine.SQLITE;
    }

    @Override
    public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
      return Future.failedFuture("nothing is read here");
    }

    @Override
    public Future<Void> probe() {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }
}
