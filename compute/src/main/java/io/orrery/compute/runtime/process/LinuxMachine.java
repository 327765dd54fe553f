package io.orrery.compute.runtime.process;

import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.ProcessUsage;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.process.Wrapper;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.compute.runtime.replica.FreePorts;
import io.orrery.compute.runtime.replica.Prerequisites;
import io.orrery.compute.runtime.replica.ReplicaMachine;
import io.orrery.compute.runtime.replica.ReplicaProber;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine that the server runs on.
 *
 * @param table of its processes
 * @param marks of the processes of this home
 * @param environment of programs
 * @param workspaces the directories of the users, in which notebooks run
 * @param gpus those that replicas are given
 */
record LinuxMachine(
    Clock clock,
    ProcessTable table,
    ReplicaMarks marks,
    ReplicaEnvironment environment,
    Wrapper wrapper,
    Spawn spawn,
    ReplicaProber prober,
    Workspaces workspaces,
    GpuInventory gpus)
    implements ReplicaMachine {
  private static final Logger LOG = LoggerFactory.getLogger(LinuxMachine.class);

  private static final int MOST_LOOKS = 300;
  private static final Duration PAUSE = Duration.ofMillis(20);

  static LinuxMachine of(
      Clock clock,
      ReplicaMarks marks,
      ReplicaEnvironment environment,
      Wrapper wrapper,
      ReplicaProber prober,
      Workspaces workspaces,
      GpuInventory gpus) {
    return new LinuxMachine(
        clock,
        new ProcessTable(() -> Processes.all(ReplicaMarks.VARIABLE)),
        marks,
        environment,
        wrapper,
        Spawn.best(),
        prober,
        workspaces,
        gpus);
  }

  @Override
  public List<String> check(WorkloadSpec spec) {
    List<String> sentences =
        new ArrayList<>(
            ProcessCheck.of(spec, environment.directory(spec), environment.inherited(spec)));
    gpus.refusal(spec.resources().gpus()).ifPresent(sentences::add);
    return List.copyOf(sentences);
  }

  @Override
  public SettingsLook look(ProjectSettings settings) {
    return SettingsLook.withoutNodes(
        settings.mounts().mounts(), ProcessCheck::refusal, settings.choosesNodes());
  }

  @Override
  public Prerequisites prepare(WorkloadSpec spec, Runnable nudge) {
    String missing =
        ProcessCheck.missing(spec, environment.directory(spec), environment.inherited(spec));
    if (missing != null) {
      return new Prerequisites.Missing(missing);
    }
    String full = environment.sandbox().people().full(spec.owner(), clock.now());
    return full.isEmpty() ? new Prerequisites.Met() : new Prerequisites.Later(full);
  }

  @Override
  public ReplicaProgram program(ReplicaRef replica, Path run, Runnable nudge) {
    return new WrappedProgram(this, replica, new WrapperDirectory(run), nudge);
  }

  @Override
  public boolean outlivesCrashes() {
    return false;
  }

  @Override
  public boolean isFree(int port) {
    return FreePorts.isFree(port);
  }

  @Override
  public Future<Void> probe(Probe probe, String host, int port) {
    return prober.send(probe, host, port);
  }

  @Override
  public Map<ReplicaRef, Readings> used(Map<ReplicaRef, Path> runs) throws IOException {
    Map<ReplicaRef, Readings> all = new HashMap<>();
    for (Map.Entry<ReplicaRef, Path> run : runs.entrySet()) {
      if (new WrapperDirectory(run.getValue()).claims().current() instanceof Taken taken
          && taken.isAlive()) {
        all.put(run.getKey(), ProcessUsage.of(Processes.tree(taken.pid())).readings());
      }
    }
    return all;
  }

  @Override
  public void endStrays(Predicate<ReplicaRef> isKept) throws IOException, InterruptedException {
    endShells();
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      List<Found> strays =
          table.take().all().stream().filter(process -> isStray(process, isKept)).toList();
      if (strays.isEmpty()) {
        return;
      }
      strays.forEach(process -> process.signal(ProcessSignals.KILL));
      Thread.sleep(PAUSE);
    }
    LOG.warn("could not end processes of replicas that have no files");
  }

  /** Ends the shells that a server of this home has left which was killed. */
  private void endShells() throws IOException {
    for (Found found : Processes.all(ScriptShell.VARIABLE)) {
      if (marks.replica(found.mark()) != null) {
        found.signal(ProcessSignals.KILL);
      }
    }
  }

  private boolean isStray(Found process, Predicate<ReplicaRef> isKept) {
    ReplicaRef replica = marks.replica(process.mark());
    return replica != null && !isKept.test(replica);
  }

  @Override
  public Future<Void> close() {
    return prober.close();
  }
}
