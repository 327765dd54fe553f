package io.orrery.orchestrator.route;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteReports;
import io.orrery.core.bus.contract.RouteReports.AskCurves;
import io.orrery.core.bus.contract.RouteReports.AskShadows;
import io.orrery.core.bus.contract.RouteReports.Curves;
import io.orrery.core.bus.contract.RouteReports.Question;
import io.orrery.core.bus.contract.RouteReports.Shadows;
import io.orrery.core.bus.contract.RouteReports.Told;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks all router processes for what they have seen of services, and answers with the sum ({@link
 * ReportSums}). One that does not answer in time is left out. On one event loop.
 */
final class ReportGathering {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_AT_ONCE = 100;

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Future<Integer>> routers;
  private final Supplier<String> ids;
  private final Map<String, Gathered> open = new HashMap<>();

  ReportGathering(Bus bus, Clock clock, Supplier<Future<Integer>> routers, Supplier<String> ids) {
    this.bus = bus;
    this.clock = clock;
    this.routers = routers;
    this.ids = ids;
  }

  /** The answers to a question that not all routers have answered. */
  private record Gathered(int routers, List<Told> answers, Promise<List<Told>> all) {}

  Future<?> serve() {
    bus.listen(RouteReports.TOLD, this::told);
    return Future.all(
        bus.serve(RouteReports.SHADOWS, this::shadows),
        bus.serve(RouteReports.CURVES, this::curves));
  }

  private Future<Shadows> shadows(AskShadows asked) {
    return gather(asked.services(), null).map(ReportSums::shadows);
  }

  private Future<Curves> curves(AskCurves asked) {
    return gather(List.of(), asked.service()).map(ReportSums::curves);
  }

  private Future<List<Told>> gather(List<String> shadowsOf, @Nullable String curvesOf) {
    return open.size() >= MOST_AT_ONCE
        ? Future.failedFuture(
            new Problem.Busy("many ask for the reports of routers", PATIENCE).toException())
        : routers.get().compose(count -> gather(shadowsOf, curvesOf, count));
  }

  private Future<List<Told>> gather(List<String> shadowsOf, @Nullable String curvesOf, int count) {
    if (count == 0) {
      return Future.succeededFuture(List.of());
    }
    Gathered gathered = new Gathered(count, new ArrayList<>(), Promise.promise());
    String id = ids.get();
    open.put(id, gathered);
    Clock.Timer late =
        clock.after(PATIENCE, () -> gathered.all().tryComplete(List.copyOf(gathered.answers())));
    bus.publish(RouteReports.QUESTION, new Question(id, shadowsOf, curvesOf));
    return gathered
        .all()
        .future()
        .onComplete(answered -> {
          late.cancel();
          open.remove(id);
        });
  }

  private void told(Told told) {
    Gathered gathered = open.get(told.id());
    if (gathered != null) {
      gathered.answers().add(told);
      if (gathered.answers().size() >= gathered.routers()) {
        gathered.all().tryComplete(List.copyOf(gathered.answers()));
      }
    }
  }
}
