package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * An attempt as a machine has it: a directory with its wrapper, which is put there and started, and
 * ended and removed. Both may be repeated. Blocks.
 */
record RemoteRun(ConnectedMachine site, AttemptRef attempt, MachineTimeouts patience) {
  private static final Duration TURN = Duration.ofMillis(50);
  private static final double MILLIS = 1_000;

  /** Where it lies. */
  String directory() {
    return site.run(attempt);
  }

  /**
   * Starts it; a second start does nothing.
   *
   * @throws Unstarted when it has certainly not started
   * @throws MachineAway when that is unknown
   */
  void start(MachineSeat seat, Order order) throws MachineAway, Unstarted, InterruptedException {
    Map<String, String> variables = variables(seat, order);
    String pythonPath = Objects.requireNonNullElse(seat.machine().login().pythonPath(), "");
    ObjectNode start = order("start").put("path", pythonPath);
    variables.forEach(start.putObject("variables")::put);
    Said said = site.agent().ask(start, patience.command());
    if (said == null) {
      said = startByScript(variables, pythonPath);
    }
    if (said.exitCode() != 0) {
      throw Unstarted.here(said.complaint());
    }
  }

  private Said startByScript(Map<String, String> variables, String pythonPath)
      throws MachineAway, InterruptedException {
    String wrapper =
        Script.WRAPPER.with(
            Map.of(
                "run",
                directory(),
                "python",
                site.facts().python(),
                "keeper",
                site.keeper(),
                "python_path",
                pythonPath),
            Map.of("@EXPORTS@", Script.assignments("export ", variables).strip()));
    String end = "ORRERY_" + Integer.toHexString(wrapper.hashCode());
    return site.connection()
        .run(
            Script.LAUNCH.with(
                Map.of("run", directory(), "python", site.facts().python()),
                new TreeMap<>(Map.of("@END@", end, "@WRAPPER@", wrapper))),
            patience.command());
  }

  /** An order to the agent that concerns this attempt. */
  private ObjectNode order(String what) {
    return Json.MAPPER.createObjectNode().put("do", what).put("run", directory());
  }

  private Map<String, String> variables(MachineSeat seat, Order order) throws InterruptedException {
    Map<String, String> variables = new TreeMap<>(order.launch().environmentWithToken());
    variables.put(Keepers.Launch.URL, site.url());
    // From there is no other way than through a server's connection.
    variables.computeIfPresent(Keepers.Launch.OTHER_URLS, (key, others) -> "");
    variables.put("ORRERY_KEEPER_PORTS", site.facts().ports());
    String socket = site.agent().socket();
    if (socket != null) {
      variables.put("ORRERY_KEEPER_AGENT", socket);
    }
    variables.put("ORRERY_KEEPER_HOME", directory() + "/home");
    variables.put("ORRERY_KEEPER_DIRECTORY", directory() + "/trial");
    if (!order.isCodeShared()) {
      variables.put("ORRERY_CODE_DIRECTORY", site.code(order.code().digest()));
    }
    variables.put("ORRERY_KEEPER_GRACE", Long.toString(patience.grace().toSeconds()));
    // A host whose name looks like a replica's is none.
    variables.put("ORRERY_KEEPER_POD", "remote");
    if (seat.grant() != null) {
      variables.put("CUDA_VISIBLE_DEVICES", seat.grant().visible());
      // Our numbers are nvidia-smi's; CUDA's own order begins with the fastest device.
      variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    } else if (order.gpus() != null && order.gpus() == 0) {
      variables.put("CUDA_VISIBLE_DEVICES", "-1");
    }
    return variables;
  }

  /**
   * Ends what is left of it and removes its directory; from then on it never starts.
   *
   * @param farewell how long its wrapper has to end by itself first
   * @return what was found there
   */
  Remains end(Duration farewell) throws MachineAway, InterruptedException {
    ObjectNode order =
        order("end")
            .put("farewell", farewell.toMillis() / MILLIS)
            .put("grace", (double) patience.grace().toSeconds());
    Said said = site.agent().ask(order, patience.command());
    if (said == null) {
      said = endByScript(farewell);
    }
    if (said.exitCode() != 0) {
      throw MachineAway.passing("cannot end its processes: " + said.complaint());
    }
    return Remains.of(said.out());
  }

  private Said endByScript(Duration farewell) throws MachineAway, InterruptedException {
    return site.connection()
        .run(
            Script.END.with(
                Map.of(
                    "run",
                    directory(),
                    "turns",
                    Long.toString(farewell.dividedBy(TURN)),
                    "grace",
                    Long.toString(patience.grace().toSeconds()))),
            patience.command());
  }
}
