package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.core.schema.Walk;
import java.util.HashMap;
import java.util.Map;

/** The checks of several keys together for the platform {@code remote}. */
final class RemoteReader {
  private static final String AT = "/trainingService";

  private final Walk walk;

  RemoteReader(Walk walk) {
    this.walk = walk;
  }

  /**
   * @param service the section, with its defaults
   */
  void read(ObjectNode root, ObjectNode service) {
    if (service.has("nniManagerIp") || root.has("nniManagerIp")) {
      walk.notice(
          "nniManagerIp has no effect: remote trials reach the server through the SSH connection.");
      service.remove("nniManagerIp");
      root.remove("nniManagerIp");
    }
    JsonNode machines = service.path("machineList");
    if (machines.isArray() && machines.isEmpty() && !walk.faultyWithin(AT + "/machineList")) {
      walk.refuse(AT + "/machineList", "must have at least one machine");
    }
    Map<String, Integer> seen = new HashMap<>();
    for (int i = 0; i < machines.size(); i++) {
      machine(machines.get(i), AT + "/machineList/" + i, service.path("trialGpuNumber"), seen, i);
    }
  }

  private void machine(
      JsonNode machine, String at, JsonNode gpus, Map<String, Integer> seen, int number) {
    plain(
        machine, at, "host", "[A-Za-z0-9][A-Za-z0-9._-]*|[0-9A-Fa-f:.%]+", "a name or an address");
    plain(machine, at, "user", "[^\\s:@/\\\\-][^\\s:@/\\\\]*", "a user's name");
    if (machine.path("pythonPath").asText("/").matches("(?s).*[\\n:].*")) {
      walk.refuse(at + "/pythonPath", "must be one directory");
    }
    if (machine.has("password")) {
      for (String key : new String[] {"sshKeyFile", "sshPassphrase"}) {
        if (machine.has(key)) {
          walk.notice(
              walk.places().name(at + "/" + key) + " has no effect: the password is used instead.");
        }
      }
    }
    int wanted = gpus.asInt(0);
    if (wanted == 0) {
      CommonKeys.noGpus(machine, at, walk);
    }
    JsonNode indices = machine.path("gpuIndices");
    if (wanted > 0 && indices.isArray() && indices.size() < wanted) {
      walk.refuse(
          at + "/gpuIndices",
          "must name at least as many GPUs as a trial needs, "
              + wanted
              + "; this names "
              + indices.size());
    }
    String address =
        machine.path("user").asText()
            + "@"
            + machine.path("host").asText()
            + ":"
            + machine.path("port").asInt();
    Integer twin = seen.putIfAbsent(address, number);
    if (twin != null && machine.has("host") && machine.has("user")) {
      walk.refuse(
          at + "/host", "is the same machine as number " + (twin + 1) + " of the list: " + address);
    }
  }

  private void plain(JsonNode machine, String at, String key, String form, String what) {
    String text = machine.path(key).asText();
    if (!text.isEmpty() && !text.matches(form)) {
      walk.refuse(at + "/" + key, "must be " + what + ", this is '" + text + "'");
    }
  }
}
