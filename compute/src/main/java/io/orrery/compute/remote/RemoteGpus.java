package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuSight;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.gpu.NvidiaSmi;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.core.id.AttemptRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at the GPUs of a machine: one script brings the devices, what computes on them, and which
 * of these processes are trials. Called by the machine's queue, first the sight and then the
 * census.
 */
final class RemoteGpus {
  private static final String CUT = "== ";

  private final Machine machine;
  private final Duration limit;
  private List<String> processes = List.of();

  RemoteGpus(Machine machine, Duration limit) {
    this.machine = machine;
    this.limit = limit;
  }

  /** The devices. Blocks. */
  GpuSight sight() {
    ConnectedMachine site = machine.site();
    if (site == null) {
      return new GpuSight.Failed("it " + machine.trouble());
    }
    try {
      Answer answer = ask(site.connection(), site.facts().base(), limit);
      synchronized (this) {
        processes = answer.processes();
      }
      return answer.sight();
    } catch (MachineAway e) {
      return new GpuSight.Failed("it " + e.why());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new GpuSight.Failed("it is not asked any more");
    }
  }

  /**
   * A report of a machine on its GPUs.
   *
   * @param processes what computes on them: a number, and the key of the attempt that it belongs to
   */
  record Answer(GpuSight sight, List<String> processes) {}

  /** Asks a machine by any connection. */
  static Answer ask(Connection connection, String base, Duration limit)
      throws MachineAway, InterruptedException {
    Said said =
        connection.run(
            Script.GPUS.with(
                Map.of(
                    "base",
                    base,
                    "devices",
                    String.join(" ", NvidiaSmi.DEVICES),
                    "processes",
                    String.join(" ", NvidiaSmi.PROCESSES))),
            limit);
    return said.exitCode() == 0
        ? read(said.out())
        : new Answer(new GpuSight.Failed("there is no program nvidia-smi on its PATH"), List.of());
  }

  private static Answer read(String out) {
    List<NvidiaSmi.Answer> answers = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (String line : out.lines().toList()) {
      if (line.matches(CUT + "\\d{1,3}") && answers.size() < 2) {
        int exitCode = Integer.parseInt(line.substring(CUT.length()));
        answers.add(new NvidiaSmi.Answer(exitCode, part.toString()));
        part.setLength(0);
      } else {
        part.append(line).append('\n');
      }
    }
    return new Answer(
        answers.size() == 2
            ? NvidiaSmi.sight(answers.get(0), answers.get(1))
            : new GpuSight.Failed("nvidia-smi was cut off"),
        part.toString().lines().toList());
  }

  /** Whose the processes of the last sight are. */
  synchronized GpuCensus census() {
    Map<String, AttemptRef> runs = new HashMap<>();
    Map<GpuUser, GpuGrant> grants = new HashMap<>();
    machine
        .seats()
        .forEach((attempt, seat) -> {
          runs.put(ConnectedMachine.key(attempt), attempt);
          if (seat.grant() != null) {
            grants.put(GpuUser.of(attempt), seat.grant());
          }
        });
    Set<Long> alive = new HashSet<>();
    Map<Long, GpuUser> owners = new HashMap<>();
    for (String line : processes) {
      String[] words = line.split(" ", 2);
      if (words[0].matches("\\d{1,10}")) {
        long pid = Long.parseLong(words[0]);
        alive.add(pid);
        AttemptRef attempt = words.length < 2 ? null : runs.get(words[1].strip());
        if (attempt != null) {
          owners.put(pid, GpuUser.of(attempt));
        }
      }
    }
    return new GpuCensus(alive, owners, grants);
  }
}
