package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.audit.AuditTable;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.deployment.DeploymentTable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that steers deployments: a round each second carries out rollouts ({@link
 * RolloutRound}), upgrades ({@link UpgradeRound}) and scaling ({@link ScaleRound}). One server at a
 * time runs it, by a lease.
 *
 * <p>A round compares what is stored with what is there, so one that is missed is made up for by
 * the next.
 */
public final class ServiceController extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceController.class);
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** The rounds after which what is stored is read again without a hint. */
  private static final int READ_AGAIN = 5;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final DeploymentTable deployments;
  private final RolloutRound rollouts;
  private final UpgradeRound upgrades;
  private final ScaleRound scaling;
  private List<Deployment> steered = List.of();
  private int untilRead;
  private boolean running;
  private boolean hinted;
  private boolean closed;
  private Clock.@Nullable Timer tick;

  /**
   * @param store which fails writes when another server steers the deployments
   * @param zone of the timetables of scaling
   * @param random of the ids of audit entries
   */
  public ServiceController(Bus bus, Store store, Clock clock, ZoneId zone, RandomGenerator random) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.deployments = new DeploymentTable(store);
    AuditedChanges changes = new AuditedChanges(store, bus, clock, new AuditTable(store, random));
    this.rollouts = new RolloutRound(bus, store, changes);
    this.upgrades = new UpgradeRound(bus, store, changes);
    this.scaling = new ScaleRound(bus, zone);
  }

  @Override
  public Future<?> start() {
    return DeploymentTable.MIGRATIONS
        .apply(store)
        .onSuccess(applied -> {
          bus.listen(Domains.CHANGED, changed -> context.runOnContext(hint -> hint()));
          bus.listen(
              Routes.HELD, held -> context.runOnContext(go -> scaling.held(held.services())));
          hint();
        });
  }

  /** Has a round run now. */
  private void hint() {
    untilRead = 0;
    if (running) {
      hinted = true;
    } else {
      round();
    }
  }

  private void round() {
    if (closed || running) {
      return;
    }
    running = true;
    if (tick != null) {
      tick.cancel();
    }
    read()
        .compose(read ->
            Future.join(
                rollouts.run(steered, clock.now()),
                upgrades.run(steered, clock.now()),
                scaling.run(steered, clock.now())))
        .onFailure(failure -> LOG.warn("could not steer deployments: {}", failure.getMessage()))
        .onComplete(done -> {
          running = false;
          if (hinted) {
            hinted = false;
            round();
          } else if (!closed) {
            tick = clock.after(ROUND, this::round);
          }
        });
  }

  private Future<Void> read() {
    if (untilRead > 0) {
      untilRead--;
      return Future.succeededFuture();
    }
    untilRead = READ_AGAIN;
    return deployments
        .steered()
        .<Void>map(all -> {
          steered = all;
          rollouts.reread();
          upgrades.reread();
          return null;
        });
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (tick != null) {
      tick.cancel();
    }
    return Future.succeededFuture();
  }
}
