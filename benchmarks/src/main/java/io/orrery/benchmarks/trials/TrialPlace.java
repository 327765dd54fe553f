package io.orrery.benchmarks.trials;

import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The place where the trials of the benchmark run, and what the configuration says about it. */
interface TrialPlace extends AutoCloseable {
  /** The section {@code trainingService}, as JSON. */
  String trainingService();

  @Override
  void close() throws IOException;

  /** Processes beside the server. */
  static TrialPlace local() {
    return new TrialPlace() {
      @Override
      public String trainingService() {
        return "{\"platform\": \"local\"}";
      }

      @Override
      public void close() {}
    };
  }

  /**
   * Machines behind real SSH servers, on loopback and in this process: what they cost is not the
   * server's.
   *
   * @param reuse whether processes there serve one trial after another
   */
  static TrialPlace remote(Path directory, int machines, boolean reuse) throws IOException {
    List<SshMachine> all = new ArrayList<>();
    StringBuilder known = new StringBuilder();
    for (int i = 0; i < machines; i++) {
      SshMachine machine = new SshMachine(directory.resolve("machine" + i));
      all.add(machine);
      known.append(machine.knownHost());
    }
    Path knownHosts = Files.writeString(directory.resolve("known_hosts"), known);
    return new TrialPlace() {
      @Override
      public String trainingService() {
        return Json.write(
            Map.of(
                "platform",
                "remote",
                "machineList",
                all.stream().map(SshMachine::entry).toList(),
                "knownHosts",
                knownHosts.toString(),
                "reuseMode",
                reuse));
      }

      @Override
      public void close() throws IOException {
        for (SshMachine machine : all) {
          machine.close();
        }
      }
    };
  }
}
