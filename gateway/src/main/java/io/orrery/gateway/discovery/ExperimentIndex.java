package io.orrery.gateway.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Experiments.Action;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Listeners;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the experiments that NNI's tools are to find in the index of their user, each with a
 * process that stands for it and a folder with what they look up in files. As long as the process
 * lives they take the experiment for running; who ends it stops the experiment.
 *
 * <p>The file itself remembers which experiments are meant: after a restart, those in it that are
 * ours and go on get a process again. A file that cannot be used is told in the log; experiments
 * run without it.
 *
 * <p>Lives on the edge's event loop.
 */
public final class ExperimentIndex {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentIndex.class);

  private static final Duration PAUSE = Duration.ofMillis(200);

  /** An experiment that is in the index, with what stands for it. */
  private static final class Listed {
    boolean starting;

    /** Whether its port is to be closed when it has ended. */
    boolean leaving;

    @Nullable Experiment latest;
    @Nullable StandIn standIn;
    @Nullable ObjectNode written;
    @Nullable String described;
    @Nullable ExperimentStatus logged;

    long pid() {
      return standIn == null ? 0 : standIn.pid();
    }

    void end() {
      StandIn ending = standIn;
      standIn = null;
      if (ending != null) {
        ending.end();
      }
    }
  }

  private final Bus bus;
  private final ExperimentPorts ports;
  private final Clock clock;
  private final IndexFile file;
  private final NniFolder folders;
  private final Path directory;
  private final UnaryOperator<JsonNode> shown;
  private final Map<ExperimentId, Listed> listed = new HashMap<>();
  private @Nullable Context loop;
  private int port;
  private boolean closed;

  /**
   * @param directory where NNI keeps its index, {@code ~/nni-experiments}
   * @param serverLog what a server in the background writes; it may be missing
   * @param experiments the directory that holds a directory for each experiment
   * @param shown takes credentials out of a configuration that others may read
   */
  public ExperimentIndex(
      Bus bus,
      ExperimentPorts ports,
      Path directory,
      Clock clock,
      Path serverLog,
      Path experiments,
      UnaryOperator<JsonNode> shown) {
    this.bus = bus;
    this.ports = ports;
    this.clock = clock;
    this.file = new IndexFile(directory, clock);
    this.folders = new NniFolder(directory, serverLog, experiments);
    this.directory = directory;
    this.shown = shown;
  }

  /** The edge listens: serves the experiments that are in the index from before. */
  public void listening(Listeners edge) {
    loop = Vertx.currentContext();
    port = edge.own();
    bus.listen(Experiments.NEWS, this::heard);
    inBackground(file::read)
        .onSuccess(entries -> entries.fieldNames().forEachRemaining(this::resume))
        .onFailure(e -> LOG.warn("could not use NNI's index of experiments: {}", e.getMessage()));
  }

  private void resume(String name) {
    if (closed || !ExperimentId.valid(name)) {
      return;
    }
    ExperimentId id = new ExperimentId(name);
    bus.request(Experiments.GET, new Experiments.Get(id))
        .onSuccess(experiment -> {
          Listed known = listed.computeIfAbsent(id, key -> new Listed());
          known.logged = experiment.status();
          update(experiment);
        })
        .onFailure(e -> {
          Problem problem = Problem.of(e);
          if (problem instanceof Problem.Broken || problem instanceof Problem.Unavailable) {
            // The edge is there before those who know experiments.
            clock.after(PAUSE, () -> resume(name));
          } else if (!(problem instanceof Problem.NotFound)) {
            LOG.warn("could not add experiment {} to NNI's index", id, e);
          }
        });
  }

  /**
   * From now on NNI's tools find this experiment, also one that has ended unless it was stopped.
   * Completes when they do.
   */
  public Future<Void> add(Experiment experiment) {
    Listed known = listed.computeIfAbsent(experiment.id(), key -> new Listed());
    known.latest = experiment;
    return needsStandIn(known) && experiment.status() != ExperimentStatus.STOPPED
        ? start(experiment.id(), known).compose(started -> writeLatest(known))
        : update(experiment);
  }

  /**
   * A port goes to another experiment: those that had it before, and have ended, give it up. NNI's
   * tools would take the other one for them.
   */
  public Future<Void> vacate(int freed, ExperimentId successor) {
    return Future.all(
            listed.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(successor))
                .filter(entry -> isAt(freed, entry.getValue().written))
                .map(entry -> vacate(entry.getKey()))
                .toList())
        .mapEmpty();
  }

  private static boolean isAt(int port, @Nullable ObjectNode written) {
    return written != null && written.path("port").asInt() == port;
  }

  private Future<Void> vacate(ExperimentId id) {
    return bus.request(Experiments.GET, new Experiments.Get(id))
        .compose(experiment ->
            experiment.status().isFinal() ? dismiss(experiment) : Future.<Void>succeededFuture())
        .otherwiseEmpty();
  }

  /** The entry of an experiment, in the file or not. */
  public ObjectNode entry(Experiment experiment) {
    Listed known = listed.get(experiment.id());
    return known == null ? entry(experiment, 0).json() : entry(experiment, known);
  }

  private ObjectNode entry(Experiment experiment, Listed known) {
    ObjectNode entry = entry(experiment, known.pid()).json();
    if (known.standIn == null && !known.starting && experiment.status().isFinal()) {
      // What no stand-in serves has stopped, to NNI's tools, and has no port.
      entry.put("status", ExperimentStatus.STOPPED.name()).putNull("port");
    }
    return entry;
  }

  private IndexEntry entry(Experiment experiment, long pid) {
    Integer own = ports.of(experiment.id());
    String prefix = ports.prefixOf(experiment.id());
    if (prefix == null && own == null) {
      prefix = "experiments/" + experiment.id();
    }
    return new IndexEntry(experiment, own == null ? port : own, prefix, pid, directory.toString());
  }

  /**
   * Its user is done with an experiment: once it has ended nothing stands for it any more, and its
   * entry has no port.
   */
  public Future<Void> dismiss(Experiment experiment) {
    Listed known = listed.get(experiment.id());
    if (known == null) {
      return Future.succeededFuture();
    }
    if (experiment.status().isFinal()) {
      known.end();
    }
    return write(experiment, known);
  }

  /**
   * A client that knows the experiment by its port has stopped it: the port is closed when it has
   * ended, which may have been heard since the client was answered. A failure is logged. One that
   * had ended when it was answered has been {@link #dismiss dismissed} before.
   */
  public Future<Void> leave(Experiment experiment) {
    Listed known = listed.get(experiment.id());
    if (known == null) {
      return Future.succeededFuture();
    }
    if (experiment.status().isFinal()) {
      return closePort(experiment.id());
    }
    known.leaving = true;
    Experiment latest = known.latest;
    return latest != null && latest.status().isFinal() ? update(latest) : Future.succeededFuture();
  }

  private Future<Void> closePort(ExperimentId id) {
    return ports
        .giveUp(id)
        .onFailure(failure ->
            LOG.warn("could not close the port of experiment {}: {}", id, failure.getMessage()))
        .otherwiseEmpty();
  }

  private void heard(ExperimentEvent event) {
    switch (event) {
      case ExperimentEvent.Changed(Experiment experiment) -> {
        if (listed.containsKey(experiment.id())) {
          update(experiment);
        }
      }
      case ExperimentEvent.Deleted(ExperimentId id, _) -> {
        Listed gone = listed.remove(id);
        if (gone != null) {
          gone.end();
          onFiles(() -> file.change(entries -> entries.remove(id.value())));
          onFiles(() -> folders.delete(id));
        }
      }
      case ExperimentEvent.Annotated ignored -> {}
      case ExperimentEvent.TrialChanged ignored -> {}
      case ExperimentEvent.TrialWithdrawn ignored -> {}
    }
  }

  private Future<Void> update(Experiment experiment) {
    ExperimentId id = experiment.id();
    Listed known = Objects.requireNonNull(listed.get(id));
    known.latest = experiment;
    if (experiment.status() == ExperimentStatus.STOPPED) {
      known.end();
    }
    if (known.leaving && experiment.status().isFinal()) {
      known.leaving = false;
      return dismiss(experiment).compose(written -> closePort(id));
    }
    boolean going =
        !experiment.status().isFinal() && experiment.status() != ExperimentStatus.STOPPING;
    return going && needsStandIn(known)
        ? start(id, known).compose(started -> writeLatest(known))
        : write(experiment, known);
  }

  /** Writes what was heard last: it changes while a process is started or a port is closed. */
  private Future<Void> writeLatest(Listed known) {
    Experiment latest = known.latest;
    return latest == null ? Future.succeededFuture() : write(latest, known);
  }

  private boolean needsStandIn(Listed known) {
    return known.standIn == null && !known.starting && !closed;
  }

  private Future<Void> start(ExperimentId id, Listed known) {
    known.starting = true;
    return inBackground(() -> StandIn.start(id, ended -> onLoop(() -> ended(id, known, ended))))
        .onComplete((standIn, failure) -> {
          known.starting = false;
          if (failure != null) {
            LOG.warn(
                "could not start the stand-in process of experiment {}: {}",
                id,
                failure.getMessage());
          } else if (closed || listed.get(id) != known) {
            standIn.end();
          } else {
            known.standIn = standIn;
          }
        })
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private Future<Void> write(Experiment experiment, Listed known) {
    ObjectNode entry = entry(experiment, known);
    Future<Void> described =
        Future.join(describe(experiment, known), log(experiment, known)).mapEmpty();
    if (entry.equals(known.written)) {
      return described;
    }
    known.written = entry;
    return onFiles(() -> file.change(entries -> entries.set(experiment.id().value(), entry)));
  }

  /** Writes a change of its status to the log of NNI's manager as well. */
  private Future<Void> log(Experiment experiment, Listed known) {
    ExperimentStatus before = known.logged;
    if (experiment.status() == before) {
      return Future.succeededFuture();
    }
    known.logged = experiment.status();
    List<String> lines = ManagerLog.lines(experiment, before, clock.now());
    return onFiles(() -> folders.log(experiment.id(), lines));
  }

  /** Its folder holds the configuration as it is now. */
  private Future<Void> describe(Experiment experiment, Listed known) {
    String config = experiment.spec().description().config();
    if (config.equals(known.described)) {
      return Future.succeededFuture();
    }
    known.described = config;
    Instant began = Objects.requireNonNullElse(experiment.startedAt(), experiment.createdAt());
    NniFolder.Profile profile =
        new NniFolder.Profile(
            experiment.id(),
            shown.apply(Json.parse(config)),
            (long) experiment.executionSeconds(),
            began.toEpochMilli(),
            experiment.endedAt() == null ? null : experiment.endedAt().toEpochMilli(),
            experiment.spec().search().tuner());
    return onFiles(() -> folders.write(profile));
  }

  /** One that was not ended here was ended by a user who wants the experiment stopped. */
  private void ended(ExperimentId id, Listed known, StandIn standIn) {
    if (closed || known.standIn != standIn) {
      return;
    }
    known.standIn = null;
    LOG.info("stopping experiment {}: its stand-in process was ended", id);
    bus.request(Experiments.COMMAND, new Experiments.Command(id, Action.STOP))
        .compose(experiment -> ports.giveUp(id))
        .compose(closed -> writeLatest(known))
        .onFailure(e -> LOG.warn("could not stop experiment {}", id, e));
  }

  /** The server goes down, and all that stands for its experiments with it. */
  public void close() {
    closed = true;
    listed.values().forEach(Listed::end);
  }

  private interface FileTask {
    void run() throws IOException;
  }

  /** Changes the files of NNI's tools. Experiments go on when that cannot be done. */
  private Future<Void> onFiles(FileTask task) {
    return inBackground(
            () -> {
              task.run();
              return task;
            })
        .onFailure(e -> LOG.warn("could not use NNI's index of experiments: {}", e.getMessage()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private interface Work<T> {
    T call() throws IOException;
  }

  /** One after the other, in the order in which they were asked for. */
  private <T> Future<T> inBackground(Work<T> work) {
    return Objects.requireNonNull(loop, "the edge does not listen yet").executeBlocking(work::call);
  }

  private void onLoop(Runnable work) {
    Objects.requireNonNull(loop).runOnContext(called -> work.run());
  }
}
