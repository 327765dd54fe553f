package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the studio's layer of the route table: one document of all services, written again when it
 * has changed, one write at a time.
 *
 * <p>A service that the routers refuse (its name or host is in another layer) is left out, with the
 * reason in its state, so that it does not hold up the others.
 */
final class RouteLayerWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RouteLayerWriter.class);

  /** The pause before a write, so that changes that come together are one write. */
  private static final Duration PAUSE = Duration.ofMillis(1);

  /**
   * A write reads the whole layer, here and in each router. So the next one waits for a multiple of
   * the time that the last one took, or a thousand changes in a row would be a thousand such reads.
   */
  private static final int REST = 3;

  /** Short enough that routers have a change within a second. */
  private static final Duration LONGEST_REST = Duration.ofMillis(500);

  private static final Pattern SERVICE = Pattern.compile("^/services/([0-9]{1,7})(/|$)");

  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** The pause before a service that was refused is tried again. */
  private static final Duration REFUSED_AGAIN = Duration.ofSeconds(10);

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Collection<OwnedWorkload>> workloads;
  private final DomainRouting domains;
  private final Runnable written;
  private final RoutesInForce inForce;
  private @Nullable String stored;
  private long revision;
  private Instant ended = Instant.EPOCH;
  private Duration rest = Duration.ZERO;
  private boolean writing;
  private boolean waiting;
  private boolean failed;
  private boolean dirty;

  /**
   * @param written told when a layer has been stored
   * @param reached told of a workload that every router has since then
   */
  RouteLayerWriter(
      Bus bus,
      Clock clock,
      Supplier<Collection<OwnedWorkload>> workloads,
      DomainRouting domains,
      Runnable written,
      Consumer<WorkloadRef> reached) {
    this.bus = bus;
    this.clock = clock;
    this.workloads = workloads;
    this.domains = domains;
    this.written = written;
    this.inForce = new RoutesInForce(bus, clock, workloads, reached);
  }

  /** Has the layer written if it has changed. */
  void changed() {
    dirty = true;
    if (!writing && !waiting) {
      waitFor(pause());
    }
  }

  void close() {
    inForce.close();
  }

  private void waitFor(Duration pause) {
    waiting = true;
    clock.after(
        pause,
        () -> {
          waiting = false;
          if (dirty && !writing) {
            write();
          }
        });
  }

  /** Writes again soon; told of once, however long it lasts. */
  private void again(Problem problem) {
    if (!failed) {
      LOG.warn("could not write the route layer of services: {}", problem.detail());
    }
    failed = true;
    dirty = true;
    waitFor(AGAIN);
  }

  private void write() {
    dirty = false;
    Instant begun = clock.now();
    ObjectNode document = Json.MAPPER.createObjectNode();
    ArrayNode services = document.putArray("services");
    List<OwnedWorkload> all = List.copyOf(workloads.get());
    Set<ReplicaRef> absent = new HashSet<>();
    List<ObjectNode> routes = new ArrayList<>();
    List<OwnedWorkload> routed = new ArrayList<>();
    List<String> resting = new ArrayList<>();
    for (OwnedWorkload workload : all) {
      for (ObjectNode route : workload.routes()) {
        routes.add(route);
        routed.add(workload);
        if (workload.isResting()) {
          resting.add(route.path("name").asText());
        }
      }
      absent.addAll(workload.absent());
    }
    services.addAll(routes).addAll(domains.entries(routes, resting));
    String text = Json.write(document);
    Map<OwnedWorkload, String> ways = new HashMap<>();
    routed.forEach(workload -> ways.put(workload, String.valueOf(workload.way())));
    if (text.equals(stored)) {
      note(all, absent, ways);
      return;
    }
    writing = true;
    bus.request(RouteLayers.PUT, new RouteLayers.Put(RouteLayer.STUDIO, text, null))
        .onComplete((done, failure) -> {
          writing = false;
          rest(begun);
          if (failure == null) {
            failed = false;
            stored = text;
            revision = done.revision();
            note(all, absent, ways);
            written.run();
          } else {
            refused(all, routed, failure);
          }
          if (dirty && !writing && !waiting) {
            waitFor(pause());
          }
        });
  }

  private void rest(Instant begun) {
    ended = clock.now();
    Duration due = Duration.between(begun, ended).multipliedBy(REST);
    rest = due.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : due;
  }

  /** The part of the rest that is left. A clock that was set back does not make it longer. */
  private Duration pause() {
    Duration since = Duration.between(ended, clock.now());
    Duration left = since.isNegative() ? Duration.ZERO : rest.minus(since);
    return left.compareTo(PAUSE) > 0 ? left : PAUSE;
  }

  private void note(
      List<OwnedWorkload> all, Set<ReplicaRef> absent, Map<OwnedWorkload, String> ways) {
    all.forEach(workload -> workload.published(absent, revision, ways.get(workload)));
    inForce.soon();
  }

  private void refused(List<OwnedWorkload> all, List<OwnedWorkload> routed, Throwable failure) {
    switch (Problem.of(failure)) {
      case Problem.Conflict conflict -> leaveOut(all, Map.of(), conflict);
      case Problem.Refused faults -> leaveOut(all, named(routed, faults), faults);
      case Problem other -> again(other);
    }
  }

  /** The workloads whose routes findings about a layer name, each with the first of them. */
  private static Map<OwnedWorkload, String> named(
      List<OwnedWorkload> routed, Problem.Refused faults) {
    Map<OwnedWorkload, String> named = new LinkedHashMap<>();
    for (Finding finding : faults.findings()) {
      Matcher parts = SERVICE.matcher(finding.pointer());
      int place = parts.find() ? Integer.parseInt(parts.group(1)) : routed.size();
      if (place < routed.size()) {
        named.putIfAbsent(routed.get(place), finding.message());
      }
    }
    return named;
  }

  private static String words(Problem problem) {
    return problem instanceof Problem.Refused refused && !refused.findings().isEmpty()
        ? refused.findings().getFirst().message()
        : problem.detail();
  }

  private static void refuse(OwnedWorkload workload, String fault) {
    workload.refuseRoute("its route is refused: " + fault);
  }

  /**
   * Finds the services that are refused by themselves, and writes the layer without them; where
   * each is right alone, such as two that give their requests to each other, without the named
   * ones.
   */
  private void leaveOut(List<OwnedWorkload> all, Map<OwnedWorkload, String> named, Problem whole) {
    writing = true;
    List<Future<Boolean>> checks = new ArrayList<>();
    for (OwnedWorkload workload : all) {
      List<ObjectNode> own = workload.routes();
      if (!own.isEmpty()) {
        ObjectNode alone = Json.MAPPER.createObjectNode();
        alone.putArray("services").addAll(own);
        checks.add(
            bus.request(Routes.CHECK, new Routes.Check(RouteLayer.STUDIO, Json.write(alone)))
                .map(false)
                .recover(failure -> {
                  refuse(workload, words(Problem.of(failure)));
                  return Future.succeededFuture(true);
                }));
      }
    }
    Future.join(checks)
        .onComplete(checked -> {
          writing = false;
          boolean alone = checks.stream().anyMatch(Future::result);
          if (!alone) {
            named.forEach(RouteLayerWriter::refuse);
          }
          if (alone || !named.isEmpty()) {
            clock.after(REFUSED_AGAIN, this::tryRefused);
            write();
          } else {
            again(whole);
          }
        });
  }

  /** The other layer may have changed meanwhile. */
  private void tryRefused() {
    workloads.get().forEach(OwnedWorkload::tryRouteAgain);
    changed();
  }
}
