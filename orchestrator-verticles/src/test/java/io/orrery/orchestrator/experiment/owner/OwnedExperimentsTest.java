package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.keeper.OwnedLeases;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Member;
import io.orrery.core.time.SystemClock;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnedExperimentsTest {
  private static final ExperimentId ID = new ExperimentId("ab12cd34");

  private final Vertx vertx = Vertx.vertx();
  private final OwnLease lease = new OwnLease();
  private final OwnedLeases tenures = new OwnedLeases();
  private final OwnedExperiments holdings =
      new OwnedExperiments(
          vertx,
          new ExperimentServices(
              null, null, new Giving(lease), tenures, null, new SystemClock(vertx)),
          new ExperimentTable(null));

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void anActionThatThrowsGivesTheLeaseBack() {
    Future<Void> done = holdings.whileUnowned(ID, Future.succeededFuture(), thrower("not deleted"));

    assertThat(done.cause()).hasMessage("not deleted");
    assertThat(lease.held()).isFalse();
    assertThat(holdings.leaving(ID)).as("others go on").isNull();
  }

  @Test
  void anActionThatThrowsAtTheBeginningGivesTheLeaseBack() {
    Future<Void> begun = holdings.begin(ID, thrower("not written down"));

    assertThat(begun.cause()).hasMessage("not written down");
    assertThat(lease.held()).isFalse();
    assertThat(holdings.owns(ID)).isFalse();
  }

  private static Supplier<Future<Void>> thrower(String words) {
    return () -> {
      throw new IllegalStateException(words);
    };
  }

  private record Giving(OwnLease lease) implements Leases {
    @Override
    public boolean shared() {
      return false;
    }

    @Override
    public String host() {
      return "here";
    }

    @Override
    public Future<Optional<Lease>> take(String name) {
      return Future.succeededFuture(Optional.of(lease));
    }

    @Override
    public Future<Optional<Holder>> holder(String name) {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<List<Holder>> held() {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<Member>> members() {
      return Future.succeededFuture(List.of());
    }

    @Override
    public void onMembership(Consumer<String> listener) {}
  }
}
