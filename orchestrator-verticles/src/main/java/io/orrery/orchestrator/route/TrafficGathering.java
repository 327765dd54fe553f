package io.orrery.orchestrator.route;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Routes.AskTraffic;
import io.orrery.core.bus.contract.Routes.Count;
import io.orrery.core.bus.contract.Routes.Counted;
import io.orrery.core.bus.contract.Routes.EndpointTraffic;
import io.orrery.core.bus.contract.Routes.ServiceTraffic;
import io.orrery.core.bus.contract.Routes.Traffic;
import io.orrery.core.bus.contract.Routes.VersionAnswers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Asks all router processes to count, and adds up what they answer. On one event loop. */
final class TrafficGathering {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_NAMES = 10_000;
  private static final int MOST_AT_ONCE = 100;

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Future<Integer>> routers;
  private final Supplier<String> ids;
  private final Map<String, Question> open = new HashMap<>();

  TrafficGathering(Bus bus, Clock clock, Supplier<Future<Integer>> routers, Supplier<String> ids) {
    this.bus = bus;
    this.clock = clock;
    this.routers = routers;
    this.ids = ids;
  }

  /** A question that not all routers have answered. */
  private record Question(
      AskTraffic asked, int routers, List<Counted> answers, Promise<Traffic> answer) {}

  Future<?> serve() {
    bus.listen(Routes.COUNTED, this::counted);
    return bus.serve(Routes.TRAFFIC, this::ask);
  }

  private Future<Traffic> ask(AskTraffic asked) {
    if (asked.endpoints().size() + asked.services().size() > MOST_NAMES) {
      return Future.failedFuture(
          new Problem.Refused(
                  new Finding("", "a question may have " + MOST_NAMES + " endpoints and services"))
              .toException());
    }
    if (open.size() >= MOST_AT_ONCE) {
      return Future.failedFuture(
          new Problem.Busy("many ask for the traffic of routers", PATIENCE).toException());
    }
    return routers.get().compose(count -> ask(asked, count));
  }

  private Future<Traffic> ask(AskTraffic asked, int count) {
    Question question = new Question(asked, count, new ArrayList<>(), Promise.promise());
    if (count == 0) {
      return Future.succeededFuture(sum(question));
    }
    String id = ids.get();
    open.put(id, question);
    Clock.Timer late = clock.after(PATIENCE, () -> question.answer().tryComplete(sum(question)));
    bus.publish(Routes.COUNT, new Count(id, asked));
    return question
        .answer()
        .future()
        .onComplete(answered -> {
          late.cancel();
          open.remove(id);
        });
  }

  private void counted(Counted counted) {
    Question question = open.get(counted.id());
    if (question != null) {
      question.answers().add(counted);
      if (question.answers().size() >= question.routers()) {
        question.answer().tryComplete(sum(question));
      }
    }
  }

  private static Traffic sum(Question question) {
    long studio = Long.MAX_VALUE;
    Map<String, Integer> outstanding = new HashMap<>();
    Map<String, ServiceTraffic> services = new HashMap<>();
    int idle = 0;
    for (Counted counted : question.answers()) {
      idle += counted.routes() ? 0 : 1;
      studio = Math.min(studio, counted.studio());
      for (EndpointTraffic endpoint : counted.endpoints()) {
        outstanding.merge(endpoint.endpoint(), endpoint.outstanding(), Integer::sum);
      }
      for (ServiceTraffic service : counted.services()) {
        services.merge(service.service(), service, TrafficGathering::plus);
      }
    }
    return new Traffic(
        Math.max(0, question.routers() - idle),
        question.answers().size() - idle,
        studio,
        question.asked().endpoints().stream()
            .map(name -> new EndpointTraffic(name, outstanding.getOrDefault(name, 0)))
            .toList(),
        question.asked().services().stream()
            .map(name -> services.getOrDefault(name, ServiceTraffic.none(name)))
            .toList());
  }

  private static ServiceTraffic plus(ServiceTraffic one, ServiceTraffic other) {
    return new ServiceTraffic(
        one.service(),
        one.inFlight() + other.inFlight(),
        one.held() + other.held(),
        one.answers() + other.answers(),
        plus(one.versions(), other.versions()));
  }

  private static List<VersionAnswers> plus(List<VersionAnswers> one, List<VersionAnswers> other) {
    Map<String, VersionAnswers> sums = new TreeMap<>();
    for (VersionAnswers each : one) {
      sums.put(each.version(), each);
    }
    for (VersionAnswers each : other) {
      sums.merge(
          each.version(),
          each,
          (a, b) ->
              new VersionAnswers(
                  a.version(), added(a.codes(), b.codes()), added(a.times(), b.times())));
    }
    return List.copyOf(sums.values());
  }

  private static List<Long> added(List<Long> one, List<Long> other) {
    return IntStream.range(0, one.size()).mapToObj(i -> one.get(i) + other.get(i)).toList();
  }
}
