package io.orrery.compute.runtime.container;

import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.process.ProcessUsage;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.compute.runtime.replica.FreePorts;
import io.orrery.compute.runtime.replica.Prerequisites;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.runtime.replica.ReplicaMachine;
import io.orrery.compute.runtime.replica.ReplicaProber;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A container engine of this machine, with what keepers of replicas need of it. */
final class EngineMachine implements ReplicaMachine {
  private static final Logger LOG = LoggerFactory.getLogger(EngineMachine.class);

  /** The time that a check waits for an image; longer pulls go on without it. */
  private static final Duration CHECK = Duration.ofSeconds(8);

  private final Vertx vertx;
  private final ContainerCluster cluster;
  private final Clock clock;
  private final ContainerLabels labels;
  private final EngineClient client;
  private final ContainerEngine engine;
  private final ContainerEvents events;
  private final ImagePulls pulls;
  private final ContainerSnapshot snapshots;
  private final ReplicaProber prober;
  private final Workspaces workspaces;
  private final GpuInventory gpus;
  private volatile boolean init = true;
  private volatile @Nullable Predicate<ReplicaRef> kept;

  EngineMachine(
      Vertx vertx,
      ContainerCluster cluster,
      Path home,
      Workspaces workspaces,
      ImageLogins logins,
      Clock clock,
      GpuInventory gpus) {
    this.workspaces = workspaces;
    this.gpus = gpus;
    this.vertx = vertx;
    this.cluster = cluster;
    this.clock = clock;
    this.labels = ContainerLabels.of(home, cluster.name());
    this.client = new EngineClient(vertx, cluster, clock);
    this.engine = new ContainerEngine(client);
    this.events = new ContainerEvents(client, clock, labels.filter(), this::sweepAgain);
    this.pulls = new ImagePulls(client, clock, logins, new PulledImages(home, cluster));
    this.snapshots = new ContainerSnapshot(client, logins);
    this.prober = new ReplicaProber();
    events.open();
  }

  ContainerCluster cluster() {
    return cluster;
  }

  Clock clock() {
    return clock;
  }

  ContainerLabels labels() {
    return labels;
  }

  ContainerEngine engine() {
    return engine;
  }

  ContainerEvents events() {
    return events;
  }

  ContainerBody body() {
    return new ContainerBody(labels, cluster.network(), init, personal());
  }

  PersonalMounts personal() {
    return new PersonalMounts(workspaces, EngineUser.of(cluster.socket()));
  }

  ContainerLog log(String container, ReplicaLog file, Runnable ended) {
    return new ContainerLog(vertx, client, container, file, ended);
  }

  Future<ReplicaShell> shell(String container, TerminalSize size) {
    return ContainerShell.open(client, clock, container, size);
  }

  /**
   * Whether a container could not be created for want of the engine's init program; the next ones
   * go without.
   */
  boolean isWithoutInit(EngineException failure) {
    String text = String.valueOf(failure.getMessage());
    boolean isMissing =
        init
            && (text.contains("init binary")
                || text.contains("catatonit")
                || text.contains("docker-init"));
    if (isMissing) {
      LOG.warn(
          "could not start containers of cluster {} with an init process, so signals reach the"
              + " program alone: {}",
          cluster.name(),
          text);
      init = false;
    }
    return isMissing;
  }

  @Override
  public List<String> check(WorkloadSpec spec) {
    List<String> sentences = new ArrayList<>(ContainerCheck.of(spec));
    gpus.refusal(spec.resources().gpus()).ifPresent(sentences::add);
    String image = spec.image();
    if (image != null && sentences.isEmpty()) {
      String missing = missing(image, spec.pulledFor());
      if (missing != null) {
        sentences.add(missing);
      }
    }
    return List.copyOf(sentences);
  }

  @Override
  public SettingsLook look(ProjectSettings settings) {
    return SettingsLook.withoutNodes(
        settings.mounts().mounts(), ContainerCheck::refusal, settings.choosesNodes());
  }

  /** The reason why an image cannot be had; null when it is there, or is still being pulled. */
  private @Nullable String missing(String image, @Nullable ProjectName project) {
    try {
      engine.ping();
      Future<Void> pull = isThere(image, project) ? null : pulls.begin(image, project);
      if (pull != null) {
        pull.await(CHECK.toMillis(), TimeUnit.MILLISECONDS);
      }
      return null;
    } catch (TimeoutException slow) {
      return null;
    } catch (EngineException e) {
      return e.isSilence() ? e.getMessage() : ImagePulls.sentence(image, e);
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private boolean isThere(String image, @Nullable ProjectName project) throws IOException {
    return engine.hasImage(image) && pulls.isOpenTo(project, image);
  }

  @Override
  public Prerequisites prepare(WorkloadSpec spec, Runnable nudge) {
    String image = spec.image();
    List<String> wrong = ContainerCheck.of(spec);
    if (image == null || !wrong.isEmpty()) {
      return new Prerequisites.Missing(String.join("; ", wrong));
    }
    try {
      return isThere(image, spec.pulledFor())
          ? new Prerequisites.Met()
          : pulls.ask(image, spec.pulledFor(), nudge);
    } catch (IOException e) {
      return new Prerequisites.Missing(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public ReplicaProgram program(ReplicaRef replica, Path run, Runnable nudge) {
    return new ContainerProgram(this, replica, run, nudge);
  }

  @Override
  public SnapshotTaken snapshot(ReplicaRef replica, Path run, String target, ProjectName project)
      throws IOException {
    return snapshots.take(labels.name(replica, run.getFileName().toString()), target, project);
  }

  @Override
  public GpuInventory gpus() {
    return gpus;
  }

  @Override
  public boolean isFree(int port) {
    return FreePorts.isFree(port);
  }

  @Override
  public Future<Void> probe(Probe probe, String host, int port) {
    return prober
        .send(probe, host, port)
        .recover(failure ->
            Future.failedFuture(
                cluster.network() == ContainerNetwork.BRIDGE
                    ? new IOException(advised(String.valueOf(failure.getMessage())))
                    : failure));
  }

  /** The most usual reason, for an answer that never came. */
  private static String advised(String sentence) {
    return sentence.contains("it answered")
        ? sentence
        : sentence + " (in a container a program must listen on 0.0.0.0, not on 127.0.0.1)";
  }

  @Override
  public Map<ReplicaRef, Readings> used(Map<ReplicaRef, Path> runs) throws IOException {
    Map<ReplicaRef, Readings> all = new HashMap<>();
    for (Map.Entry<ReplicaRef, Path> run : runs.entrySet()) {
      String name = labels.name(run.getKey(), run.getValue().getFileName().toString());
      ContainerState state = engine.inspect(name);
      if (state != null && !state.isNew() && !state.isOver()) {
        List<Long> tree = state.tree();
        ProcessUsage used = tree.isEmpty() ? engine.usage(name) : ProcessUsage.of(tree);
        if (used != null) {
          all.put(run.getKey(), used.readings());
        }
      }
    }
    return all;
  }

  /** An engine that does not answer now is asked when it does. */
  @Override
  public void endStrays(Predicate<ReplicaRef> isKept) {
    kept = isKept;
    sweep(isKept);
  }

  private void sweepAgain() {
    Predicate<ReplicaRef> isKept = kept;
    if (isKept != null) {
      Thread.ofVirtual().name("containers-sweep").start(() -> sweep(isKept));
    }
  }

  private void sweep(Predicate<ReplicaRef> isKept) {
    try {
      for (ContainerEngine.Listed each : engine.list(labels.filter())) {
        ReplicaRef replica = labels.replica(each.labels());
        if (replica == null || !isKept.test(replica)) {
          LOG.info("deleting container {} of {}, which is no replica", each.id(), replica);
          delete(each.id());
        }
      }
    } catch (IOException e) {
      LOG.warn("could not delete containers that belong to no replica: {}", e.getMessage());
    }
  }

  /** One that a keeper has deleted meanwhile is gone, too. */
  private void delete(String container) throws IOException {
    try {
      engine.remove(container, true);
    } catch (EngineException e) {
      if (e.isSilence() || engine.inspect(container) != null) {
        throw e;
      }
    }
  }

  @Override
  public Future<Void> close() {
    events.close();
    return prober.close().eventually(client::close);
  }
}
