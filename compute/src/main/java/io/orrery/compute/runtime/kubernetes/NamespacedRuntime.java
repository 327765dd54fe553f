package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A runtime that keeps notebooks in one namespace of a cluster and all else in another. */
public final class NamespacedRuntime implements Runtime {
  private final Runtime notebooks;
  private final Runtime others;

  /** Both are closed with it. */
  public NamespacedRuntime(Runtime notebooks, Runtime others) {
    this.notebooks = notebooks;
    this.others = others;
  }

  private Runtime of(WorkloadRef workload) {
    return workload.kind() == WorkloadKind.NOTEBOOK ? notebooks : others;
  }

  @Override
  public boolean runsImages() {
    return others.runsImages();
  }

  @Override
  public Future<List<String>> check(WorkloadSpec spec) {
    return others.check(spec);
  }

  @Override
  public Future<List<String>> check(WorkloadRef workload, WorkloadSpec spec) {
    return of(workload).check(spec);
  }

  @Override
  public Future<SettingsLook> look(ProjectSettings settings) {
    return Future.all(others.look(settings), notebooks.look(settings))
        .map(both -> {
          SettingsLook ofOthers = both.resultAt(0);
          SettingsLook ofNotebooks = both.resultAt(1);
          Map<VolumeMount, String> mounts = new HashMap<>(ofNotebooks.mounts());
          mounts.replaceAll((mount, reason) -> "for notebooks, " + reason);
          // What stands in the way of all else is told without that word.
          mounts.putAll(ofOthers.mounts());
          return new SettingsLook(
              mounts,
              ofOthers.nodes(),
              ofOthers.mountsUnknown() == null
                  ? ofNotebooks.mountsUnknown()
                  : ofOthers.mountsUnknown(),
              ofOthers.nodesUnknown());
        });
  }

  @Override
  public Future<Void> want(WorkloadRef workload, long generation, WorkloadSpec spec, int replicas) {
    return of(workload).want(workload, generation, spec, replicas);
  }

  @Override
  public Future<Void> drain(ReplicaRef replica, Duration grace) {
    return of(replica.workload()).drain(replica, grace);
  }

  @Override
  public Future<Void> remove(WorkloadRef workload) {
    return of(workload).remove(workload);
  }

  @Override
  public Future<Void> adopt(List<Wanted> all) {
    return Future.join(adopt(notebooks, all), adopt(others, all)).mapEmpty();
  }

  private Future<Void> adopt(Runtime runtime, List<Wanted> all) {
    return runtime.adopt(all.stream().filter(each -> of(each.workload()).equals(runtime)).toList());
  }

  @Override
  public void follow(RuntimeListener listener) {
    notebooks.follow(listener);
    others.follow(listener);
  }

  @Override
  public Observation now(WorkloadRef workload) {
    return of(workload).now(workload);
  }

  @Override
  public Future<LogPiece> readLog(ReplicaRef replica, boolean previous, long offset, int limit) {
    return of(replica.workload()).readLog(replica, previous, offset, limit);
  }

  @Override
  public Future<Map<ReplicaRef, Readings>> used(WorkloadRef workload) {
    return of(workload).used(workload);
  }

  @Override
  public Future<OptionalInt> autoscaled(WorkloadRef workload) {
    return of(workload).autoscaled(workload);
  }

  @Override
  public Future<ReplicaShell> shell(ReplicaRef replica, TerminalSize size) {
    return of(replica.workload()).shell(replica, size);
  }

  @Override
  public boolean hasPods() {
    return true;
  }

  @Override
  public Future<ReplicaShell> command(ReplicaRef replica, List<String> command) {
    return of(replica.workload()).command(replica, command);
  }

  @Override
  public Future<Void> close() {
    return Future.join(notebooks.close(), others.close()).mapEmpty();
  }
}
