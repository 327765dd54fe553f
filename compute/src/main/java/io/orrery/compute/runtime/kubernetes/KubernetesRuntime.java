package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.runtime.replica.ReplicaRuntime;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * A runtime that keeps workloads running as pods of a cluster. Each replica has its files below
 * {@code <home>/clusters/<cluster>}, and a pod for each start of its program.
 *
 * <p>A replica whose pod has no node yet, or whose image is being pulled, is WAITING with the
 * cluster's reason; one whose image cannot be pulled, or whose API server does not answer when it
 * is to be started, is FAILED. Pods that run are probed whether the API server answers or not.
 *
 * <p>Besides pods a service has a Service, another one where its ports are open at addresses of the
 * cluster, and, where it scales by what its pods use, an autoscaler ({@link ServiceObjects}).
 */
public final class KubernetesRuntime extends ReplicaRuntime {
  private final Background background;
  private final ServiceObjects objects;

  /**
   * A runtime over a home directory and a namespace.
   *
   * @param home of the server, or the directory that several servers share
   * @param logins with which images are pulled
   * @param secrets seals what a replica is made of
   * @param server the URL that pods call the server at, without a trailing slash
   * @param passes derives the tokens with which pods fetch their files
   */
  public KubernetesRuntime(
      Vertx vertx,
      KubernetesCluster cluster,
      Path home,
      ImageLogins logins,
      SecretBox secrets,
      String server,
      OriginPasses passes,
      RandomGenerator random) {
    this(
        vertx,
        cluster,
        home,
        logins,
        secrets,
        new PodFiles(server, passes, cluster.filesImage()),
        new SystemClock(vertx),
        random,
        ReplicaSettings.DEFAULT);
  }

  KubernetesRuntime(
      Vertx vertx,
      KubernetesCluster cluster,
      Path home,
      ImageLogins logins,
      SecretBox secrets,
      PodFiles files,
      Clock clock,
      RandomGenerator random,
      ReplicaSettings settings) {
    Path absolute = home.toAbsolutePath().normalize();
    PodMachine machine = new PodMachine(vertx, cluster, absolute, logins, files, clock);
    super(
        vertx,
        "kubernetes",
        absolute.resolve("clusters").resolve(cluster.name()),
        clock,
        random,
        settings,
        machine,
        secrets);
    this.background = new Background(vertx, "kubernetes-services");
    this.objects = new ServiceObjects(machine, background, this::changed);
  }

  @Override
  public boolean hasPods() {
    return true;
  }

  @Override
  public boolean runsImages() {
    return true;
  }

  @Override
  public Future<Void> want(WorkloadRef workload, long generation, WorkloadSpec spec, int replicas) {
    return super.want(workload, generation, spec, replicas)
        .onSuccess(known -> objects.want(workload, generation, spec));
  }

  @Override
  public Future<Void> remove(WorkloadRef workload) {
    return super.remove(workload).compose(gone -> objects.remove(workload));
  }

  @Override
  public Future<Void> adopt(List<Wanted> all) {
    return super.adopt(all).onSuccess(adopted -> objects.adopt(all));
  }

  @Override
  public Observation now(WorkloadRef workload) {
    Observation seen = super.now(workload);
    return new Observation(workload, seen.replicas(), objects.fault(workload));
  }

  @Override
  public Future<OptionalInt> autoscaled(WorkloadRef workload) {
    return background.run(() -> objects.autoscaled(workload));
  }

  @Override
  public Future<Void> close() {
    objects.close();
    background.interrupt();
    return super.close();
  }
}
