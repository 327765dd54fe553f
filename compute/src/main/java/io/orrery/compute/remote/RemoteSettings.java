package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuRequest;
import io.orrery.core.experiment.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code trainingService} of an experiment on remote machines.
 *
 * @param machines in the order of the list, at least one
 * @param awayLimit how long a machine may be away before its attempts are given up
 */
record RemoteSettings(List<Member> machines, Duration awayLimit) {
  RemoteSettings {
    machines = List.copyOf(machines);
  }

  /**
   * A machine of the list.
   *
   * @param gpus what a trial of this experiment needs there; null when GPUs are none of its
   *     business
   */
  record Member(Login login, @Nullable GpuRequest gpus) {}

  static RemoteSettings of(JobSpec job) {
    Map<String, @Nullable Object> settings = job.trainingService().settings().values();
    Path knownHosts = path(settings.get("knownHosts"));
    boolean trust = Boolean.TRUE.equals(settings.get("trustOnFirstUse"));
    List<Member> members = new ArrayList<>();
    if (settings.get("machineList") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> machine) {
          members.add(new Member(login(machine, knownHosts, trust), gpus(machine, job)));
        }
      }
    }
    long away = settings.get("awayLimit") instanceof Number seconds ? seconds.longValue() : 600;
    return new RemoteSettings(members, Duration.ofSeconds(away));
  }

  private static Login login(Map<?, ?> machine, @Nullable Path knownHosts, boolean trust) {
    String password = text(machine.get("password"));
    return new Login(
        String.valueOf(machine.get("host")),
        machine.get("port") instanceof Number port ? port.intValue() : 22,
        String.valueOf(machine.get("user")),
        password,
        password == null ? path(machine.get("sshKeyFile")) : null,
        password == null ? text(machine.get("sshPassphrase")) : null,
        text(machine.get("pythonPath")),
        knownHosts,
        trust);
  }

  private static @Nullable GpuRequest gpus(Map<?, ?> machine, JobSpec job) {
    Integer count = job.gpuNumber();
    if (count == null || count == 0) {
      return null;
    }
    List<Integer> indices = new ArrayList<>();
    if (machine.get("gpuIndices") instanceof List<?> given) {
      given.forEach(index -> indices.add(((Number) index).intValue()));
    }
    int each = machine.get("maxTrialNumberPerGpu") instanceof Number number ? number.intValue() : 1;
    return new GpuRequest(count, indices, each, Boolean.TRUE.equals(machine.get("useActiveGpu")));
  }

  private static @Nullable String text(@Nullable Object value) {
    return value instanceof String text ? text : null;
  }

  private static @Nullable Path path(@Nullable Object value) {
    return value instanceof String text ? Path.of(text) : null;
  }
}
