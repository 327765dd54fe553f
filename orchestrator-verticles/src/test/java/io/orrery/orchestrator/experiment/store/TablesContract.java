package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.START;
import static io.orrery.orchestrator.experiment.store.TableSamples.settled;
import static io.orrery.orchestrator.experiment.store.TableSamples.spec;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Statement;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables answer alike on every engine. */
abstract class TablesContract extends TablesFixture {
  // ---- experiments ---------------------------------------------------------------------------

  @Test
  void anExperimentComesBackAsItWasStored() throws Exception {
    ExperimentRecord fresh = ExperimentRecord.of(ID, spec("first"), START);
    ExperimentRecord later =
        new ExperimentRecord(
            ID,
            ResourceOwner.PUBLIC,
            spec("renamed"),
            ExperimentStatus.ERROR,
            Map.of(TrialStatus.SUCCEEDED, 3L, TrialStatus.FAILED, 1L),
            new Experiment.Best(
                new TrialId("t0000001"), MetricValue.of(0.1), new Parameters(Map.of("x", 7))),
            5,
            9_000_000_000L,
            4,
            4,
            2,
            Duration.ofMillis(1_234),
            START.plusMillis(5),
            START,
            START.plusMillis(1),
            START.plusMillis(2),
            "the platform is gone: 'ü'");

    write(experiments.insert(fresh, null));
    assertThat(await(experiments.find(ID))).contains(fresh);
    write(experiments.update(later, true));
    assertThat(await(experiments.find(ID))).contains(later);
    write(experiments.update(fresh, false));

    assertThat(await(experiments.find(ID)).orElseThrow().spec()).isEqualTo(spec("renamed"));
    assertThat(await(experiments.find(new ExperimentId("exp00002")))).isEmpty();
  }

  @Test
  void anIdIsTakenOnce() throws Exception {
    write(experiments.insert(ExperimentRecord.of(ID, spec("first"), START), null));

    assertThatThrownBy(
            () -> write(experiments.insert(ExperimentRecord.of(ID, spec("again"), START), null)))
        .hasMessageContaining("the store refused");
  }

  @Test
  void pagesGoFromTheNewestToTheOldestAndMissNone() throws Exception {
    for (int i = 0; i < 7; i++) {
      Instant created = START.plusSeconds(i / 2); // two at a time
      write(
          experiments.insert(
              ExperimentRecord.of(new ExperimentId("exp0000" + i), spec("n"), created), null));
    }

    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      Experiments.Page page = await(experiments.page(Experiments.ListAll.of(cursor, 2), START));
      page.items().forEach(experiment -> seen.add(experiment.id().value()));
      cursor = page.next();
    } while (cursor != null);

    assertThat(seen)
        .containsExactly(
            "exp00006", "exp00004", "exp00005", "exp00002", "exp00003", "exp00000", "exp00001");
    assertThat(await(experiments.unfinished(""))).hasSize(7);
  }

  @Test
  void whatBelongsToAnotherMachineIsLeftToIt() throws Exception {
    ExperimentId other = new ExperimentId("exp00002");
    ExperimentId free = new ExperimentId("exp00003");
    ExperimentRecord over = ExperimentRecord.of(new ExperimentId("exp00004"), spec("over"), START);
    write(experiments.insert(ExperimentRecord.of(ID, spec("here"), START), "here"));
    write(experiments.insert(ExperimentRecord.of(other, spec("there"), START), "there"));
    write(experiments.insert(ExperimentRecord.of(free, spec("anywhere"), START), null));
    write(experiments.insert(over, "there"));
    write(Statement.of("update experiments set status = 'DONE' where id = ?", over.id().value()));

    assertThat(await(experiments.unfinished("here"))).containsExactly(ID, free);
    assertThat(await(experiments.unfinished(""))).containsExactly(ID, other, free);
    assertThat(await(experiments.host(other))).contains("there");
    assertThat(await(experiments.host(free))).isEmpty();
    assertThat(await(experiments.host(over.id()))).as("nothing of it runs").isEmpty();

    write(experiments.belongTo(other, "here"));
    assertThat(await(experiments.unfinished("here"))).containsExactly(ID, other, free);
  }

  // ---- trials --------------------------------------------------------------------------------

  @Test
  void aTrialComesBackAsItWasStored() throws Exception {
    TrialState planned = trial(0);
    write(trials.save(planned));
    TrialState.Stored settled =
        new TrialState.Stored(
            Phase.SETTLED,
            TrialStatus.SUCCEEDED,
            2,
            "a reason",
            TrialStatus.SUCCEEDED,
            START.plusMillis(1),
            new MetricValue(Double.NaN, "{\"default\":\"NaN\"}"),
            3,
            "/a directory",
            START.plusMillis(2),
            START.plusMillis(3),
            9_000_000_000L);

    assertThat(await(trials.find(planned.ref)).orElseThrow().stored()).isEqualTo(planned.stored());
    assertThat(await(trials.moving(ID))).hasSize(1);
    write(trials.save(planned.restore(settled)));
    TrialState back = await(trials.find(planned.ref)).orElseThrow();

    assertThat(back.stored()).isEqualTo(settled);
    assertThat(back.view()).isEqualTo(planned.view());
    assertThat(await(trials.moving(ID))).isEmpty();
    write(trials.delete(planned.ref));
    assertThat(await(trials.find(planned.ref))).isEmpty();
  }

  @Test
  void aTrialWhoseRowIsKnownIsChangedThere() throws Exception {
    TrialState trial = trial(0);
    write(trials.save(trial));
    TrialState.Stored planned = trial.stored();
    TrialState.Stored running = at(Phase.RUNNING, TrialStatus.RUNNING, null, null);
    TrialState.Stored settled =
        at(Phase.SETTLED, TrialStatus.SUCCEEDED, MetricValue.of(0.5), 9_000_000_000L);
    TrialState.Stored corrected =
        at(Phase.SETTLED, TrialStatus.SUCCEEDED, MetricValue.of(Double.NaN), 9_000_000_000L);
    TrialState.Stored again = at(Phase.PLANNED, TrialStatus.WAITING, null, null);

    for (TrialState.Stored next :
        List.of(planned, running, running, settled, settled, corrected, again, running, settled)) {
      trial.rowIs(trial.stored()).restore(next);
      write(trials.save(trial));
      TrialState back = await(trials.find(trial.ref)).orElseThrow();
      assertThat(back.stored()).isEqualTo(next);
      assertThat(back.row()).isEqualTo(next);
      assertThat(back.sets()).isEqualTo(trial.sets());
    }
    write(trials.delete(trial.ref));
    trial.rowIs(settled);
    assertThatThrownBy(() -> write(trials.save(trial)))
        .hasMessageContaining("Another change of it came first");
    trial.rowIs(null);
    write(trials.save(trial));
    assertThat(await(trials.find(trial.ref)).orElseThrow().stored()).isEqualTo(settled);
  }

  private static TrialState.Stored at(
      Phase phase, TrialStatus status, @Nullable MetricValue metric, @Nullable Long settled) {
    return new TrialState.Stored(
        phase, status, 1, "why", null, null, metric, null, "/there", START, null, settled);
  }

  @Test
  void aTrialOfSeveralSetsStandsInTheHistoryWithItsSets() throws Exception {
    TrialState one = trial(0);
    TrialState several = trial(1);
    several.submit();
    several.start(START, "/there");
    LongSupplier ordinals = LongStream.iterate(10, n -> n + 1).iterator()::next;
    several.goOn(several.sets().all().getFirst(), MetricValue.of(0.5), ordinals);
    several.give(further(1), ordinals);
    write(trials.save(one));
    write(trials.save(several));

    TrialState back = await(trials.find(several.ref)).orElseThrow();
    assertThat(back.sets()).isEqualTo(several.sets());
    assertThat(await(trials.moving(ID)))
        .extracting(TrialState::sets)
        .containsExactly(one.sets(), several.sets());
    assertThat(history()).containsExactly("1 + 0", "3 + 1", "10 1 SUCCEEDED 0.5", "11 + further1");

    several.goOn(several.sets().all().getLast(), MetricValue.of(0.9), ordinals);
    several.give(further(2), ordinals);
    several.end(START, 1, null);
    several.settle(
        TrialStatus.FAILED, MetricValue.of(0.1), "further2", Direction.MAXIMIZE, ordinals);
    write(trials.save(several));

    assertThat(history())
        .containsExactly(
            "1 + 0",
            "3 + 1",
            "10 1 SUCCEEDED 0.5",
            "11 + further1",
            "12 further1 SUCCEEDED 0.9",
            "13 + further2",
            "14 further2 FAILED 0.1");
    back = await(trials.find(several.ref)).orElseThrow();
    assertThat(back.sets()).isEqualTo(several.sets());
    assertThat(back.view()).isEqualTo(several.view());
    assertThat(back.view().counted().parameterId()).isEqualTo("further1");
    write(trials.deleteBefore(ID, 2));
    assertThat(history()).isEmpty();
    assertThat(
            await(
                store.read(
                    Statement.of("select count(*) as n from trial_sets"), row -> row.integer("n"))))
        .containsExactly(0L);
  }

  private static ParameterSet further(int index) {
    return new ParameterSet(
        index, "further" + index, ParameterSource.ALGORITHM, new Parameters(Map.of("x", index)));
  }

  private List<String> history() throws Exception {
    return await(trials.history(new Trials.ReadHistory(ID, 0, 100))).entries().stream()
        .map(entry ->
            switch (entry) {
              case Trials.Suggested(long at, String id, var values) -> at + " + " + id;
              case Trials.Settled end ->
                  end.ordinal()
                      + " "
                      + end.parameterId()
                      + " "
                      + end.status()
                      + " "
                      + end.result().number();
            })
        .toList();
  }

  @Test
  void theHistoryTellsSuggestionsAndEndsInTheirOrder() throws Exception {
    storeSix();

    List<Trials.Entry> all = await(trials.history(new Trials.ReadHistory(ID, 0, 100))).entries();
    List<Trials.Entry> rest = await(trials.history(new Trials.ReadHistory(ID, 4, 3))).entries();

    assertThat(all).hasSize(11);
    assertThat(all.stream().map(Trials.Entry::ordinal)).isSorted().doesNotHaveDuplicates();
    assertThat(rest).isEqualTo(all.subList(4, 7));
    assertThat(all)
        .filteredOn(Trials.Settled.class::isInstance)
        .map(entry -> ((Trials.Settled) entry).duration())
        .startsWith(Duration.ofSeconds(100), Duration.ofSeconds(99));
  }

  @Test
  void theBestIsFiniteAndInTheDirectionOfTheSearch() throws Exception {
    storeSix();

    assertThat(await(trials.best(ID, Direction.MAXIMIZE)).orElseThrow().metric())
        .extracting(MetricValue::number)
        .isEqualTo(0.5);
    assertThat(await(trials.best(ID, Direction.MINIMIZE)).orElseThrow().metric())
        .extracting(MetricValue::number)
        .isEqualTo(0.5);
    write(trials.deleteBefore(ID, 4));
    assertThat(await(pages.page(new Trials.ListSome(ID, null, null, null, null, 100))).items())
        .hasSize(2);
  }
}
