package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuDevice;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuSight;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.compute.remote.RemoteSettings.Member;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.problem.Finding;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a machine as the trials of an experiment will need it, over a connection of its own that
 * leaves nothing behind. Blocks.
 */
final class MachineCheck {
  private static final long LITTLE_MEGABYTES = 1_024;
  private static final long NO_MEGABYTES = 64;

  /** Beyond it, times that people compare are wrong; nothing here depends on the clock there. */
  private static final Duration SKEW = Duration.ofSeconds(5);

  private final Member member;
  private final @Nullable String shared;
  private final Ssh ssh;
  private final Clock clock;
  private final Duration limit;
  private final List<Item> items = new ArrayList<>();

  /**
   * @param shared where storage must be mounted; null when none is needed
   * @param limit for each command
   */
  MachineCheck(Member member, @Nullable String shared, Ssh ssh, Clock clock, Duration limit) {
    this.member = member;
    this.shared = shared;
    this.ssh = ssh;
    this.clock = clock;
    this.limit = limit;
  }

  List<Item> look() throws InterruptedException {
    Login login = member.login();
    try (Connection connection = ssh.connect(login)) {
      Said said =
          connection.run(
              Script.LOOK.with(
                  Map.of(
                      "python_path",
                      login.pythonPath() == null ? "" : login.pythonPath(),
                      "shared",
                      shared == null ? "" : shared)),
              limit);
      MachineFacts facts = MachineFacts.of(said.out(), clock.now());
      if (facts.base().isEmpty()) {
        bad("login", "did not answer as a POSIX shell does", "give the account sh as its shell");
        return items;
      }
      good("login", "logged in, " + facts.system());
      python(facts);
      disk(facts, said.out().lines().anyMatch("writable=yes"::equals));
      gpus(connection, facts);
      storage(said.out().lines().anyMatch("shared=yes"::equals));
      skew(facts.skew());
      way(connection);
    } catch (MachineAway e) {
      bad(
          items.isEmpty() ? "login" : "connection",
          e.why(),
          e.isLasting()
              ? "see what it says: user, password or key, and known_hosts"
              : "see that it is up, and that ssh to it works from the server's machine");
    }
    return items;
  }

  private void python(MachineFacts facts) {
    String obstacle = facts.obstacle();
    if (obstacle == null) {
      good("python", facts.python() + ", " + facts.pythonVersion());
    } else {
      bad(
          "python",
          obstacle,
          "install Python 3.7 or newer there, or name its directory: pythonPath");
    }
  }

  private void disk(MachineFacts facts, boolean writable) {
    Long free = facts.freeMegabytes();
    String room = "room in " + facts.base();
    if (!writable) {
      bad("disk", "nothing can be written in " + facts.base(), "let the account write there");
    } else if (free == null) {
      doubtful(
          "disk", "it does not say how much is free in " + facts.base(), "look there yourself");
    } else if (free < NO_MEGABYTES) {
      bad("disk", "no " + room + ": " + free + " MB are free", "make room there");
    } else if (free < LITTLE_MEGABYTES) {
      doubtful("disk", "little " + room + ": " + free + " MB are free", "make room there");
    } else {
      good("disk", String.format(Locale.ROOT, "%.1f GB free in %s", free / 1_024.0, facts.base()));
    }
  }

  private void gpus(Connection connection, MachineFacts facts)
      throws MachineAway, InterruptedException {
    GpuRequest request = member.gpus();
    if (request == null) {
      good(
          "GPUs",
          facts.nvidia() ? "nvidia-smi is there; none are asked for" : "none are asked for");
      return;
    }
    switch (RemoteGpus.ask(connection, facts.base(), limit).sight()) {
      case GpuSight.Absent() -> noGpus("there is no program nvidia-smi on its PATH");
      case GpuSight.Failed(String why) -> noGpus(why);
      case GpuSight.Seen seen -> {
        List<Finding> findings = request.check(seen);
        if (findings.isEmpty()) {
          good(
              "GPUs",
              seen.devices().size()
                  + ": "
                  + seen.devices().stream()
                      .map(GpuDevice::name)
                      .distinct()
                      .collect(Collectors.joining(", ")));
        } else {
          noGpus(findings.getFirst().message());
        }
      }
    }
  }

  private void noGpus(String why) {
    bad("GPUs", why, "repair it there, or change trialGpuNumber and gpuIndices");
  }

  private void storage(boolean writable) {
    if (shared == null) {
      return;
    }
    if (writable) {
      good("shared storage", shared + " can be written to");
    } else {
      bad(
          "shared storage",
          "there is no directory " + shared + " that " + member.login().user() + " may write to",
          "mount the storage there: remoteMountPoint");
    }
  }

  private void skew(Duration skew) {
    long seconds = Math.abs(skew.toSeconds());
    if (seconds <= SKEW.toSeconds()) {
      good("clock", "as the server's");
    } else {
      doubtful(
          "clock",
          seconds + " s " + (skew.isNegative() ? "behind" : "ahead of") + " the server's",
          "let both follow NTP: trials run, but times in their logs do not compare");
    }
  }

  private void way(Connection connection) {
    try {
      connection.listenThere(0, 1);
      good("way back", "a port there can lead to the server");
    } catch (MachineAway e) {
      bad("way back", e.why(), "set AllowTcpForwarding yes in its sshd_config");
    }
  }

  private String named(String what) {
    return member.login().name() + ": " + what;
  }

  private void good(String what, String found) {
    items.add(Item.good(named(what), found));
  }

  private void doubtful(String what, String found, String remedy) {
    items.add(Item.doubtful(named(what), found, remedy));
  }

  private void bad(String what, String found, String remedy) {
    items.add(Item.bad(named(what), found, remedy));
  }
}
