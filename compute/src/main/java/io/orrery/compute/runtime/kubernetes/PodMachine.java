package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.kubernetes.PodSight;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.compute.runtime.replica.Prerequisites;
import io.orrery.compute.runtime.replica.ReplicaMachine;
import io.orrery.compute.runtime.replica.ReplicaProber;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ResourceType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A namespace of a cluster, with what keepers of replicas need of it. */
final class PodMachine implements ReplicaMachine {
  private static final Logger LOG = LoggerFactory.getLogger(PodMachine.class);

  private static final Duration STRAY_GRACE = Duration.ofSeconds(5);
  private static final Duration SWEEP_AGAIN = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  /** How often it is looked whether deleted strays are gone: for half a minute. */
  private static final int MOST_LOOKS = 300;

  private final Clock clock;
  private final ImageLogins logins;
  private final PodNames names;
  private final PodFiles files;
  private final PodNamespace namespace;
  private final PodNamespace steps;
  private final PodNamespace trials;
  private final ReplicaProber prober;
  private final Map<String, Runnable> nudges = new ConcurrentHashMap<>();
  private volatile boolean closed;

  PodMachine(
      Vertx vertx,
      KubernetesCluster cluster,
      Path home,
      ImageLogins logins,
      PodFiles files,
      Clock clock) {
    this.clock = clock;
    this.files = files;
    this.logins = logins;
    this.names = PodNames.of(home, cluster.name());
    this.namespace =
        new PodNamespace(cluster.address(), vertx, clock, names.ours(), this::podChanged);
    this.steps = new PodNamespace(cluster.steps(), vertx, clock, names.ours(), pod -> {});
    this.trials = new PodNamespace(cluster.trials(), vertx, clock, names.ours(), pod -> {});
    this.prober = new ReplicaProber();
  }

  private void podChanged(String pod) {
    Runnable nudge = nudges.get(pod);
    if (nudge != null) {
      nudge.run();
    }
  }

  Clock clock() {
    return clock;
  }

  PodNames names() {
    return names;
  }

  PodBody body() {
    return new PodBody(names, files);
  }

  PodNamespace namespace() {
    return namespace;
  }

  /** The login with which the image of a specification is pulled, as it is now; null for none. */
  @Nullable ImageLogin login(WorkloadSpec spec) throws IOException {
    String image = spec.image();
    ProjectName project = spec.pulledFor();
    if (image == null || project == null) {
      return null;
    }
    try {
      return Background.await(logins.find(project, image)).orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(
          "the login of its registry cannot be had: " + Problem.of(e).detail(), e);
    }
  }

  /** Has a keeper nudged when its pod has changed. */
  void watch(String pod, Runnable nudge) {
    nudges.put(pod, nudge);
  }

  void forget(String pod) {
    nudges.remove(pod);
  }

  @Override
  public List<String> check(WorkloadSpec spec) {
    List<String> sentences = new ArrayList<>(PodCheck.of(spec));
    try {
      String unreached = files.fault(spec, namespace.server());
      if (unreached != null) {
        sentences.add(unreached);
      }
      sentences.addAll(
          namespace.check(
              PodCheck.claims(spec), ServiceBody.isWanted(spec), spec.scaling() != null));
    } catch (IOException e) {
      sentences.add(String.valueOf(e.getMessage()));
    }
    return List.copyOf(sentences);
  }

  @Override
  public SettingsLook look(ProjectSettings settings) {
    return PodSettings.look(settings, List.of(namespace, steps, trials));
  }

  @Override
  public Prerequisites prepare(WorkloadSpec spec, Runnable nudge) {
    List<String> wrong = PodCheck.of(spec);
    if (!wrong.isEmpty()) {
      return new Prerequisites.Missing(String.join("; ", wrong));
    }
    try {
      namespace.open();
      return new Prerequisites.Met();
    } catch (IOException e) {
      return new Prerequisites.Missing(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public ReplicaProgram program(ReplicaRef replica, Path run, Runnable nudge) {
    return new PodProgram(this, replica, run, nudge);
  }

  /** None: a pod has an address of its own, so programs listen on the numbers of the document. */
  @Override
  public List<WorkloadPort> given(List<WorkloadPort> specified) {
    return List.of();
  }

  @Override
  public boolean isFree(int port) {
    return true;
  }

  @Override
  public Future<Void> probe(Probe probe, String host, int port) {
    return prober
        .send(probe, host, port)
        .recover(failure ->
            Future.failedFuture(
                ReplicaProber.isAnswer(failure)
                    ? failure
                    : new IOException(
                        failure.getMessage()
                            + " (in a pod a program must listen on 0.0.0.0, and this server must reach"
                            + " the network of pods)")));
  }

  @Override
  public Map<ReplicaRef, Readings> used(Map<ReplicaRef, Path> runs) throws IOException {
    Map<String, Readings> pods = namespace.used();
    Map<ReplicaRef, Readings> all = new HashMap<>();
    runs.forEach((replica, run) -> {
      Readings readings = pods.get(names.pod(replica, run.getFileName().toString()));
      if (readings != null) {
        all.put(replica, readings);
      }
    });
    return all;
  }

  /** An API server that does not answer now is asked again until it does. */
  @Override
  public void endStrays(Predicate<ReplicaRef> isKept) throws InterruptedException {
    if (!isSwept(isKept)) {
      Thread.ofVirtual()
          .name("pods-sweep")
          .start(() -> {
            try {
              do {
                Thread.sleep(SWEEP_AGAIN);
              } while (!closed && !isSwept(isKept));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  private boolean isSwept(Predicate<ReplicaRef> isKept) throws InterruptedException {
    try {
      Set<String> strays = new HashSet<>();
      Set<String> kept = new HashSet<>();
      for (PodSight pod : namespace.pods()) {
        ReplicaRef replica = PodNames.replica(pod.annotations());
        if (replica != null && isKept.test(replica)) {
          kept.add(pod.name());
        } else {
          LOG.info("deleting pod {} of {}, which is no replica", pod.name(), replica);
          namespace.delete(pod.name(), STRAY_GRACE);
          strays.add(pod.name());
        }
      }
      for (String secret : namespace.secrets()) {
        String pod = PodNames.podOfPull(secret);
        if (strays.contains(pod) || (!kept.contains(pod) && !nudges.containsKey(pod))) {
          namespace.delete(ResourceType.SECRET, secret);
        }
      }
      for (int i = 0; i < MOST_LOOKS && isAnyLeft(strays); i++) {
        Thread.sleep(POLL);
      }
      return true;
    } catch (IOException e) {
      if (!closed) {
        LOG.warn("could not delete pods that belong to no replica: {}", e.getMessage());
      }
      return false;
    }
  }

  private boolean isAnyLeft(Set<String> strays) throws IOException {
    return !strays.isEmpty()
        && namespace.pods().stream().anyMatch(pod -> strays.contains(pod.name()));
  }

  @Override
  public Future<Void> close() {
    closed = true;
    namespace.close();
    steps.close();
    trials.close();
    return prober.close();
  }
}
