package io.orrery.studio.due;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.studio.PlayedRuns;
import io.orrery.studio.SetClock;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.pipeline.PipelineFreezer;
import io.orrery.studio.schedule.Calendar;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays a schedule against clocks that are put back and forward over a night of daylight saving,
 * edits, a store and an owner of runs that fail before or after they have done what was asked.
 * {@code -Dorrery.faults.seed=N} repeats one play.
 */
class ScheduleFaultTest {
  private static final PipelineName NAME = new PipelineName("nightly");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor ANN = new Actor("ann", "10.0.0.1");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant START = Instant.parse("2026-10-24T23:30:00Z");
  private static final List<String> CRONS =
      List.of("* * * * *", "*/7 * * * *", "30 1-4 * * *", "*/20 2,3 * * *", "15,45 * * * * *");
  private static final int STEPS = 80;

  @TempDir Path directory;
  private final Set<Instant> wanted = new HashSet<>();
  private final Set<Instant> allowed = new HashSet<>();
  private Random random;
  private boolean faults;
  private Vertx vertx;
  private Store store;
  private Bus bus;
  private SetClock clock;
  private PlayedRuns runs;
  private DueRunSteps steps;
  private String cron;
  private Instant begun;
  private Instant latest;

  static LongStream seeds() {
    Long one = Long.getLong("orrery.faults.seed");
    return one == null ? LongStream.rangeClosed(1, 12) : LongStream.of(one);
  }

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("studio.db"));
    bus = Bus.of(vertx);
    clock = new SetClock(vertx, START);
    runs = new PlayedRuns(bus, this::fails);
    success(
        vertx.deployVerticle(new StudioVerticle(bus, store, clock, new SecureRandom(), directory)));
    success(
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, VISION, "Vision", "{}", "{}", true, null)));
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private DueRunSteps steps(BooleanSupplier lost) {
    return new DueRunSteps(
        bus,
        new FaultyStore(store, this::fails, lost),
        clock,
        new DueFreezer(new PipelineFreezer(bus, store)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachInstantIsRunOnceAndNoneEarly(long seed) throws Exception {
    random = new Random(seed);
    steps = steps(() -> false);
    edit(true);
    for (int i = 0; i < STEPS; i++) {
      play();
    }
    settle();
    check();
  }

  @Test
  void aLeaseLostBeforeARunIsNotedLeavesTheRunToTheNextOwner() throws Exception {
    random = new Random(1);
    edit(true);
    clock.set(clock.now().plus(Duration.ofDays(1)));
    AtomicBoolean lost = new AtomicBoolean();
    runs.meanwhile =
        run -> {
          lost.set(true);
          return Future.succeededFuture();
        };

    assertThat(failure(steps(lost::get).run(NAME)).detail()).contains("does not hold schedules");
    assertThat(runs.statuses.values()).containsExactly(RunStatus.RUNNING);

    runs.meanwhile = run -> Future.succeededFuture();
    success(steps(() -> false).run(NAME));
    assertThat(runs.statuses.values()).containsOnly(RunStatus.RUNNING);
    assertThat(rows()).isNotEmpty().allMatch(row -> row.status() == DueStatus.CREATED);
  }

  private boolean fails() {
    return faults && random.nextInt(6) == 0;
  }

  private void play() throws Exception {
    int draw = random.nextInt(20);
    if (draw == 0) {
      settle();
      edit(false);
    } else if (draw < 3) {
      clock.set(clock.now().minusSeconds(random.nextInt(600)));
    } else if (draw < 5) {
      clock.set(clock.now().plusSeconds(random.nextInt(1200)));
    } else {
      clock.set(clock.now().plusMillis(random.nextInt(100_000)));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      faults = true;
      step();
    }
  }

  private Optional<Instant> step() throws Exception {
    latest = clock.now().isAfter(latest) ? clock.now() : latest;
    return success(steps.run(NAME).otherwise(Optional.of(Instant.EPOCH)));
  }

  /** Lets everything happen that is to happen by now. */
  private void settle() throws Exception {
    faults = false;
    Optional<Instant> next;
    do {
      next = step();
    } while (next.isPresent() && !next.get().isAfter(clock.now()));
    Calendar calendar = Calendar.of(List.of(cron), BERLIN);
    wanted.addAll(calendar.between(begun, clock.now(), Integer.MAX_VALUE));
    allowed.addAll(calendar.between(begun, latest, Integer.MAX_VALUE));
  }

  private void edit(boolean creates) throws Exception {
    faults = false;
    String before = cron;
    do {
      cron = CRONS.get(random.nextInt(CRONS.size()));
    } while (cron.equals(before));
    begun = clock.now();
    latest = begun;
    success(
        bus.request(
            Pipelines.PUT,
            new Pipelines.PutPipeline(
                ANN,
                NAME,
                VISION,
                """
                {"tasks": [{"name": "a", "command": "true"}],
                 "schedule": {"cron": "%s", "timeZone": "Europe/Berlin", "maxActiveRuns": 1000}}
                """
                    .formatted(cron),
                creates,
                null,
                false)));
  }

  private List<DueRun> rows() throws Exception {
    return success(
            bus.request(
                Schedules.DUE_RUNS, new Schedules.ListDueRuns(null, NAME, null, null, 100_000)))
        .items();
  }

  private void check() throws Exception {
    List<DueRun> rows = rows();
    List<Instant> due = rows.stream().map(DueRun::due).toList();
    assertThat(due).doesNotHaveDuplicates().containsAll(wanted);
    assertThat(allowed).containsAll(due);
    assertThat(rows)
        .isNotEmpty()
        .allMatch(row -> !row.createdAt().isBefore(row.due()))
        .allMatch(row -> row.status() == DueStatus.CREATED);
    assertThat(runs.taken.values().stream().map(spec -> Objects.requireNonNull(spec.due())))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(due);
  }
}
