package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteReports;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.time.Clock;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.RateExchange;
import io.orrery.router.telemetry.TrafficHistory;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the bus about routes, on the Vert.x of the server; the router has its own. */
public final class RouteDoor extends VerticleBase {
  /** The milliseconds between two looks at requests that wait. */
  private static final long HELD_LOOK = 50;

  /** The milliseconds between two messages about requests under a rate. */
  private static final long RATES_PACE = 1_000;

  /** The number of looks between two messages about the same requests. */
  private static final int HELD_AGAIN = 10;

  private static final Logger LOG = LoggerFactory.getLogger(RouteDoor.class);

  /** By which this process knows its own words. */
  private final String source = UUID.randomUUID().toString();

  private final Bus bus;
  private final Future<TableInbox> inbox;
  private final Clock clock;
  private final Set<String> told = new HashSet<>();
  private final AtomicBoolean isLooking = new AtomicBoolean();
  private @Nullable TrafficHistory history;
  private int untilAgain;

  /**
   * @param inbox of a router that may still be starting; fails with a problem when there is none
   */
  public RouteDoor(Bus bus, Clock clock, Future<TableInbox> inbox) {
    this.bus = bus;
    this.clock = clock;
    this.inbox = inbox;
  }

  @Override
  public Future<?> start() {
    // Topics, which reach every router process: a request reaches only one.
    bus.listen(Routes.COUNT, this::count);
    bus.listen(RouteReports.QUESTION, this::report);
    open()
        .onSuccess(door -> {
          watchHeld(door);
          keepHistory(door);
          shareRates(door.rates());
        });
    return Future.all(
        List.of(
            bus.serve(Routes.SHOW, show -> open().map(door -> shape(door, door.current()))),
            bus.serve(Routes.REPLACE, wanted -> replaced(wanted, TableInbox::replace)),
            bus.serve(Routes.CHECK_REPLACE, wanted -> replaced(wanted, TableInbox::check)),
            bus.serve(Routes.CHECK, this::check)));
  }

  /** Tells what this router has seen; one that is not open has seen nothing. */
  private void report(RouteReports.Question asked) {
    open()
        .compose(door ->
            vertx
                .executeBlocking(() -> ShadowReports.of(door.meters(), asked.shadowsOf()).items())
                .map(shadows -> told(asked, shadows, curves(asked.curvesOf()))))
        .otherwise(none -> told(asked, List.of(), List.of()))
        .onSuccess(told -> bus.publish(RouteReports.TOLD, told));
  }

  private static RouteReports.Told told(
      RouteReports.Question asked,
      List<RouteReports.ShadowReport> shadows,
      List<RouteReports.Curve> curves) {
    return new RouteReports.Told(asked.id(), shadows, TrafficHistory.STEP_SECONDS, curves);
  }

  private List<RouteReports.Curve> curves(@Nullable String service) {
    TrafficHistory past = history;
    return past == null || service == null
        ? List.of()
        : past.of(service).stream().map(RouteDoor::curve).toList();
  }

  private static RouteReports.Curve curve(TrafficHistory.Curve curve) {
    return new RouteReports.Curve(
        curve.version(),
        curve.points().stream()
            .map(point ->
                new RouteReports.Point(
                    point.at(),
                    point.requests(),
                    point.errors(),
                    point.p50Millis(),
                    point.p99Millis()))
            .toList());
  }

  private void shareRates(RateExchange rates) {
    bus.listen(
        Routes.RATES,
        word -> {
          if (!word.source().equals(source)) {
            offLoop(() -> {
              rates.hear(word.source(), word.counts());
              return List.of();
            });
          }
        });
    vertx.setPeriodic(RATES_PACE, turn -> offLoop(rates::exchange));
  }

  /** Publishes the counts of an action, if there are any. */
  private void offLoop(Callable<List<Routes.RateCount>> action) {
    vertx
        .executeBlocking(action)
        .onSuccess(told -> {
          if (!told.isEmpty()) {
            bus.publish(Routes.RATES, new Routes.RateCounts(source, told));
          }
        })
        .onFailure(failure ->
            LOG.warn("could not exchange the counts of rates: {}", failure.getMessage()));
  }

  private void keepHistory(TableInbox door) {
    TrafficHistory kept = new TrafficHistory(door.meters());
    history = kept;
    kept.step(clock.millis());
    vertx.setPeriodic(TrafficHistory.STEP_SECONDS * 1_000L, step -> kept.step(clock.millis()));
  }

  /** A way to take a text, or to check it; gives the table that is in force then. */
  private interface Replacement {
    LiveTable take(TableInbox door, String document, @Nullable String revision);
  }

  private Future<Routes.Table> replaced(Routes.Replace wanted, Replacement how) {
    return open()
        .compose(door ->
            vertx
                .executeBlocking(() -> how.take(door, wanted.document(), wanted.revision()))
                .map(live -> shape(door, live)));
  }

  private Future<Routes.Checked> check(Routes.Check check) {
    return open()
        .transform((door, none) -> {
          if (none != null) {
            return Future.succeededFuture(new Routes.Checked(false));
          }
          return vertx.executeBlocking(() -> {
            door.check(check.layer(), check.document());
            return new Routes.Checked(true);
          });
        });
  }

  /** Looks at requests that wait: when one begins to, and for as long as this verticle is there. */
  private void watchHeld(TableInbox door) {
    door.onHeld(() -> {
      if (isLooking.compareAndSet(false, true)) {
        context.runOnContext(look -> {
          isLooking.set(false);
          tellHeld(door, false);
        });
      }
    });
    vertx.setPeriodic(HELD_LOOK, look -> tellHeld(door, --untilAgain <= 0));
  }

  /**
   * Tells which services requests wait for.
   *
   * @param again those that were told of, too
   */
  private void tellHeld(TableInbox door, boolean again) {
    List<String> held = door.current().held();
    if (held.isEmpty()) {
      told.clear();
      return;
    }
    boolean more = told.addAll(held);
    told.retainAll(Set.copyOf(held));
    if (more || again) {
      untilAgain = HELD_AGAIN;
      bus.publish(Routes.HELD, new Routes.WaitingRequests(held));
    }
  }

  private void count(Routes.Count count) {
    open()
        .onComplete((door, none) ->
            bus.publish(
                Routes.COUNTED,
                none == null ? TrafficCount.of(count, door) : TrafficCount.none(count)));
  }

  /** The open inbox, on this verticle's context. */
  private Future<TableInbox> open() {
    return Future.future(
        promise -> inbox.onComplete(done -> context.runOnContext(home -> promise.handle(done))));
  }

  private static Routes.Table shape(TableInbox door, LiveTable table) {
    List<JsonNode> services = new ArrayList<>();
    door.services(table, services::add);
    return new Routes.Table(services, TableShape.departed(table), door.revision(table.table()));
  }
}
