package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Member;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.tuner.search.Spaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which tuners a process with tuners closes by itself. */
class TunerPlacesTest {
  private final Vertx vertx = Vertx.vertx();
  private final SteppedClock clock = new SteppedClock();
  private final List<String> forgotten = new ArrayList<>();
  private final TunerPlaces places =
      new TunerPlaces(new Shared(), clock, experiment -> forgotten.add(experiment.value()));

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void aTunerWithoutAnOwnerGoesAndThatOfARehearsalWhenItMustBeLongOver() throws Exception {
    on(() -> {
      places.watch();
      places.open(opened("owned", 3), List.of());
      places.open(opened("lost", 3), List.of());
      places.open(opened("rehearsed", Tuners.NO_LEASE), List.of());
    });

    clock.advance(Simulations.LONGEST);
    assertThat(forgotten).contains("lost").doesNotContain("owned", "rehearsed");

    clock.advance(Simulations.LONGEST.plus(Duration.ofMinutes(1)));
    assertThat(forgotten).contains("rehearsed").doesNotContain("owned");
  }

  private void on(Runnable action) throws Exception {
    Future.<Void>future(done ->
            vertx.runOnContext(go -> {
              action.run();
              done.complete();
            }))
        .await(10, TimeUnit.SECONDS);
  }

  private static Tuners.Open opened(String experiment, long epoch) {
    return new Tuners.Open(
        new ExperimentId(experiment),
        AlgorithmSpec.named("Random"),
        null,
        Spaces.one("uniform", "[0, 1]"),
        Objectives.of(Direction.MAXIMIZE),
        1,
        0,
        experiment,
        epoch);
  }

  /** The leases of a server with others, of which one owns an experiment. */
  private static final class Shared implements Leases {
    @Override
    public boolean shared() {
      return true;
    }

    @Override
    public String host() {
      return "here";
    }

    @Override
    public Future<Optional<Lease>> take(String name) {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<Optional<Holder>> holder(String name) {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<List<Holder>> held() {
      return Future.succeededFuture(
          List.of(
              new Holder(
                  "experiment/owned", 3, new Member("m", "http://127.0.0.1:1", "here", Set.of()))));
    }

    @Override
    public Future<List<Member>> members() {
      return Future.succeededFuture(List.of());
    }

    @Override
    public void onMembership(Consumer<String> listener) {}
  }
}
