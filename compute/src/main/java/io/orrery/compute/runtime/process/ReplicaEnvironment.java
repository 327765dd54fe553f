package io.orrery.compute.runtime.process;

import io.orrery.compute.runtime.replica.Allotment;
import io.orrery.compute.runtime.replica.ConfigFiles;
import io.orrery.compute.runtime.replica.MachineVariables;
import io.orrery.compute.runtime.replica.ReplicaVariables;
import io.orrery.core.access.ProjectName;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.process.PythonEnvironment;
import io.orrery.core.process.Sandbox;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the environment of a replica's program: a few variables of the server's own, those of the
 * specification, and those that the runtime adds.
 *
 * @param inherited the variables of the server that may be passed on
 * @param sandbox what keeps programs apart
 * @param environments of Python packages, in which programs may run
 */
record ReplicaEnvironment(
    Map<String, String> inherited, Sandbox sandbox, EnvironmentPlace environments) {
  /**
   * Reduces the server's environment: its other variables may be secrets.
   *
   * @param whole the server's environment
   * @param sandbox what keeps programs apart
   */
  static ReplicaEnvironment of(
      Map<String, String> whole, Sandbox sandbox, EnvironmentPlace environments) {
    return new ReplicaEnvironment(Map.copyOf(PythonEnvironment.of(whole)), sandbox, environments);
  }

  /** The directory of the environment that a program runs in; null for none. */
  @Nullable Path directory(WorkloadSpec spec) {
    EnvironmentName name = EnvironmentName.parse(spec.image()).orElse(null);
    ProjectName project = spec.pulledFor();
    return name == null || name.digest() == null || project == null
        ? null
        : environments.of(project, name.digest());
  }

  /** The variables of the machine as a program finds them. */
  Map<String, String> inherited(WorkloadSpec spec) {
    Path environment = directory(spec);
    return environment == null ? inherited : EnvironmentPlace.variables(environment, inherited);
  }

  /**
   * The variables of a program.
   *
   * @param mark by which all processes of the replica are known
   * @param directory of the replica
   * @param mounts its directories in the sandbox
   * @param given its ports and GPUs
   */
  Map<String, String> of(
      ReplicaRef replica,
      WorkloadSpec spec,
      String mark,
      Path directory,
      Sandbox.Mounts mounts,
      Allotment given) {
    Map<String, String> all = new HashMap<>(sandbox.environment(inherited, directory));
    all.putAll(MachineVariables.of(replica));
    all.putAll(ReplicaVariables.of(replica, spec, given.ports(), ReplicaVariables.LOOPBACK));
    if (!spec.files().isEmpty()) {
      all.put(WorkloadSpec.FILES_VARIABLE, ConfigFiles.of(directory).toString());
    }
    if (replica.workload().kind() == WorkloadKind.NOTEBOOK) {
      String work = sandbox.seenAt(mounts).toString();
      all.put("ORRERY_WORKSPACE", work);
      Sandbox.Workspace archive = mounts.archive();
      if (archive != null) {
        all.put("ORRERY_ARCHIVES", sandbox.seenAt(archive).toString());
      }
      all.put("XDG_RUNTIME_DIR", directory.toString());
      if (sandbox.isOn()) {
        all.put("HOME", work);
      }
    }
    if (given.gpus() != null) {
      all.put("CUDA_VISIBLE_DEVICES", given.gpus().visible());
      // Our numbers are nvidia-smi's; CUDA's own order begins with the fastest device.
      all.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }
    all.put(ReplicaMarks.VARIABLE, mark);
    Path environment = directory(spec);
    return environment == null ? all : EnvironmentPlace.variables(environment, all);
  }
}
