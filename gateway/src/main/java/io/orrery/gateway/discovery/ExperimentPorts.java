package io.orrery.gateway.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Experiments.Created;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.file.KeptFile;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Listeners;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ports of experiments: NNI's clients know an experiment by its port alone, so one may be created
 * with a port of its own, where they find it and no other. If they are told a prefix of all paths
 * they know it by that as well, at any port. A file of the home remembers both, so that they are as
 * they were after a restart, for as long as their experiment exists.
 *
 * <p>Lives on the edge's event loop.
 */
public final class ExperimentPorts {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentPorts.class);

  /** First steps of the server's own addresses. */
  private static final Set<String> TAKEN =
      Set.of(
          "api",
          "assets",
          "docs",
          "experiments",
          "health",
          "keeper",
          "lib",
          "login",
          "metrics",
          "trial",
          "tuner");

  private final Bus bus;
  private final Path file;
  private final Map<Integer, ExperimentId> experiments = new TreeMap<>();
  private final Map<String, ExperimentId> prefixes = new TreeMap<>();
  private @Nullable Listeners listeners;

  /**
   * @param file where they are remembered; it may be missing
   */
  public ExperimentPorts(Bus bus, Path file) {
    this.bus = bus;
    this.file = file;
  }

  /** The experiment that a port is for; null when it is for all. */
  public @Nullable ExperimentId at(int port) {
    return experiments.get(port);
  }

  /** The experiment that a prefix is for; null when it belongs to none. */
  public @Nullable ExperimentId below(String prefix) {
    return prefixes.get(prefix);
  }

  /** The prefix that an experiment was created with; null when it has none. */
  public @Nullable String prefixOf(ExperimentId experiment) {
    return prefixes.entrySet().stream()
        .filter(prefix -> prefix.getValue().equals(experiment))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** Whether a text may be one: a step of a path that nothing else is at. */
  public static boolean isPrefix(String text) {
    return text.matches("[A-Za-z0-9_-]{1,64}") && !TAKEN.contains(text);
  }

  /** The port that an experiment was created with; null when it has none of its own. */
  public @Nullable Integer of(ExperimentId experiment) {
    return experiments.entrySet().stream()
        .filter(port -> port.getValue().equals(experiment))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** The edge listens: opens the ports of the past. */
  public void listening(Listeners edge) {
    listeners = edge;
    inBackground(this::read)
        .onSuccess(known -> {
          known.prefixes().forEach(prefixes::putIfAbsent);
          known.ports().forEach(this::reopen);
        })
        .onFailure(e -> LOG.warn("could not read the ports of experiments from {}: {}", file, e));
  }

  private void reopen(int port, ExperimentId experiment) {
    if (port == listeners().own()) {
      // The server listens there now, and serves every experiment.
      return;
    }
    listeners()
        .open(port)
        .onSuccess(open -> experiments.putIfAbsent(port, experiment))
        .onFailure(e ->
            LOG.warn(
                "could not reopen port {} of experiment {}: {}", port, experiment, e.getMessage()));
  }

  /**
   * Creates an experiment with a port of its own; the server's own port may be named, too, and
   * changes nothing.
   *
   * <p>Fails with Conflict, and nothing is created, when another program has the port, or another
   * experiment that has not ended.
   *
   * @param sees whether the caller may be told which experiment that is
   */
  public Future<Created> with(
      int port, Predicate<ResourceOwner> sees, Supplier<Future<Created>> creation) {
    if (port == listeners().own()) {
      return creation.get();
    }
    ExperimentId before = experiments.get(port);
    return before == null
        ? listeners()
            .open(port)
            .compose(open -> assigned(port, creation).onFailure(e -> listeners().close(port)))
        : ended(before, "port " + port, sees).compose(free -> assigned(port, creation));
  }

  private Future<Created> assigned(int port, Supplier<Future<Created>> creation) {
    return creation
        .get()
        .compose(created -> {
          experiments.put(port, Objects.requireNonNull(created.experiment()).id());
          return written().map(written -> created);
        });
  }

  /**
   * Gives a port to an experiment that exists, and closes the one that it had.
   *
   * <p>Fails with Conflict, and nothing changes, when another program has the port, or another
   * experiment that has not ended.
   *
   * @param sees whether the caller may be told which experiment that is
   */
  public Future<Void> move(ExperimentId experiment, int port, Predicate<ResourceOwner> sees) {
    if (port == listeners().own()) {
      return giveUp(experiment);
    }
    ExperimentId before = experiments.get(port);
    if (experiment.equals(before)) {
      return Future.succeededFuture();
    }
    Future<Void> free =
        before == null ? listeners().open(port) : ended(before, "port " + port, sees);
    return free.compose(open -> giveUp(experiment))
        .compose(closed -> {
          experiments.put(port, experiment);
          return written()
              .<Void>mapEmpty()
              .onFailure(e -> {
                experiments.remove(port, experiment);
                listeners().close(port);
              });
        });
  }

  /** Fails as {@link #move} would, and changes nothing. */
  public Future<Void> check(ExperimentId experiment, int port, Predicate<ResourceOwner> sees) {
    ExperimentId before = experiments.get(port);
    if (port == listeners().own() || experiment.equals(before)) {
      return Future.succeededFuture();
    }
    return before == null ? listeners().probe(port) : ended(before, "port " + port, sees);
  }

  /** An experiment needs its port no more. */
  public Future<Void> giveUp(ExperimentId experiment) {
    Integer port = of(experiment);
    if (port == null) {
      return Future.succeededFuture();
    }
    experiments.remove(port);
    return written().compose(written -> listeners().close(port));
  }

  /**
   * Creates an experiment with a prefix of its own.
   *
   * <p>Fails with Conflict, and nothing is created, when another experiment has it that has not
   * ended.
   *
   * @param sees whether the caller may be told which experiment that is
   */
  public Future<Created> below(
      String prefix, Predicate<ResourceOwner> sees, Supplier<Future<Created>> creation) {
    ExperimentId before = prefixes.get(prefix);
    Future<Void> free =
        before == null ? Future.succeededFuture() : ended(before, "the prefix " + prefix, sees);
    return free.compose(now -> creation.get())
        .compose(created -> {
          prefixes.put(prefix, Objects.requireNonNull(created.experiment()).id());
          return written().map(written -> created);
        });
  }

  /** An experiment exists no more. */
  public Future<Void> release(ExperimentId experiment) {
    boolean prefixed = prefixes.values().removeIf(experiment::equals);
    if (of(experiment) != null) {
      return giveUp(experiment);
    }
    return prefixed ? written().mapEmpty() : Future.succeededFuture();
  }

  private Future<Path> written() {
    Known known = new Known(Map.copyOf(experiments), Map.copyOf(prefixes));
    return inBackground(() -> write(known));
  }

  private Future<Void> ended(ExperimentId before, String what, Predicate<ResourceOwner> sees) {
    return Absent.of(bus.request(Experiments.GET, new Experiments.Get(before)))
        .compose(found -> {
          Experiment present = found.orElse(null);
          if (present == null || present.status().isFinal()) {
            return Future.succeededFuture();
          }
          String which =
              sees.test(present.ownership())
                  ? "experiment " + before + ", which"
                  : "an experiment that";
          return Future.failedFuture(
              new Problem.Conflict(
                      "%s belongs to %s has not ended; take another one".formatted(what, which))
                  .toException());
        });
  }

  private Listeners listeners() {
    return Objects.requireNonNull(listeners, "the edge does not listen yet");
  }

  private interface Work<T> {
    T call() throws IOException;
  }

  private static <T> Future<T> inBackground(Work<T> work) {
    Context context = Vertx.currentContext();
    return context.executeBlocking(work::call);
  }

  /** The content of the file: experiments by port, and by prefix after a slash. */
  private record Known(Map<Integer, ExperimentId> ports, Map<String, ExperimentId> prefixes) {}

  private Known read() throws IOException {
    Known known = new Known(new TreeMap<>(), new TreeMap<>());
    Optional<byte[]> kept = KeptFile.read(file);
    if (kept.isPresent()) {
      JsonNode written = Json.parse(new String(kept.get(), StandardCharsets.UTF_8));
      for (Map.Entry<String, JsonNode> entry : written.properties()) {
        ExperimentId experiment = new ExperimentId(entry.getValue().asText());
        if (entry.getKey().startsWith("/")) {
          known.prefixes().put(entry.getKey().substring(1), experiment);
        } else {
          known.ports().put(Integer.valueOf(entry.getKey()), experiment);
        }
      }
    }
    return known;
  }

  private Path write(Known known) throws IOException {
    Map<String, String> written = new TreeMap<>();
    known.ports().forEach((port, experiment) -> written.put(port.toString(), experiment.value()));
    known.prefixes().forEach((prefix, experiment) -> written.put("/" + prefix, experiment.value()));
    KeptFile.write(file, Json.MAPPER.writeValueAsBytes(written));
    return file;
  }
}
