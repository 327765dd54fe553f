package io.orrery.compute.runtime.container;

import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.digest.Sha256;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/** The engine of a cluster, with what containers of steps need of it. */
final class StepEngine {
  private static final String LABEL = "io.orrery.steps";

  private final Vertx vertx;
  private final ContainerCluster cluster;
  private final String server;
  private final EngineClient client;
  private final ContainerEngine engine;
  private final ContainerEvents events;
  private final ImagePulls pulls;
  private volatile boolean init = true;

  StepEngine(Vertx vertx, ContainerCluster cluster, Path home, ImageLogins logins, Clock clock) {
    this.vertx = vertx;
    this.cluster = cluster;
    this.server = Sha256.hex(home + "\nsteps\n" + cluster.name(), 8);
    this.client = new EngineClient(vertx, cluster, clock);
    this.engine = new ContainerEngine(client);
    this.events = new ContainerEvents(client, clock, LABEL + "=" + server, () -> {});
    this.pulls = new ImagePulls(client, clock, logins, new PulledImages(home, cluster));
    events.open();
  }

  ContainerCluster cluster() {
    return cluster;
  }

  ContainerEngine engine() {
    return engine;
  }

  ContainerEvents events() {
    return events;
  }

  ImagePulls pulls() {
    return pulls;
  }

  String labelName() {
    return LABEL;
  }

  String labelValue() {
    return server;
  }

  boolean init() {
    return init;
  }

  /** Whether an image had no init process to be started with; the next ones go without. */
  boolean isWithoutInit(EngineException failure) {
    String text = String.valueOf(failure.getMessage());
    boolean missing =
        init
            && (text.contains("init binary")
                || text.contains("catatonit")
                || text.contains("docker-init"));
    if (missing) {
      init = false;
    }
    return missing;
  }

  /** The name of the container of an attempt, which is its claim: the engine gives it once. */
  String name(AttemptRef attempt) {
    return "orrery-%s-%s-%s-%d"
        .formatted(
            server,
            attempt.trial().experiment().value(),
            attempt.trial().trial().value(),
            attempt.number());
  }

  /**
   * A copy of one stream of a container.
   *
   * @param stream stdout or stderr
   */
  ContainerLog log(String container, String stream, Path directory, Runnable ended) {
    return new ContainerLog(
        vertx, client, container, stream + "=true", new ReplicaLog(directory), ended);
  }

  Future<Void> close() {
    events.close();
    return client.close();
  }
}
