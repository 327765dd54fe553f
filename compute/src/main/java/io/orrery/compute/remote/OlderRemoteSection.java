package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.OlderPlaces;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;

/** The section of machines in NNI's first version, which stand in a list at the top level. */
final class OlderRemoteSection extends OlderSection {
  private static final String MACHINES = "machineList";

  private static final Map<String, String> MACHINE =
      table(
          "ip", "host",
          "port", "port",
          "username", "user",
          "passwd", "password",
          "sshKeyPath", "sshKeyFile",
          "passphrase", "sshPassphrase",
          "gpuIndices", "gpuIndices",
          "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
          "useActiveGpu", "useActiveGpu",
          "pythonPath", "pythonPath");

  /** The passphrase that NNI's own converter forgets to rename may have either name. */
  private static final Map<String, String> MACHINE_TOO = Map.of("sshPassphrase", "sshPassphrase");

  /** Keys of a machine that have no effect here. */
  private static final List<String> MACHINE_INERT = List.of("preCommand");

  OlderRemoteSection() {
    super(List.of("remoteConfig"), table("reuse", "reuseMode"), Map.of());
  }

  @Override
  public List<String> topLevel() {
    return List.of(MACHINES, "remoteConfig");
  }

  @Override
  public boolean take(
      String section, String key, JsonNode value, String written, ObjectNode v3, Walk walk) {
    if (section.isEmpty() && Keys.same(key, MACHINES)) {
      String to = "/trainingService/" + MACHINES;
      walk.places().put(to, written);
      service(v3).set(MACHINES, machines(value, to, written, walk));
      return true;
    }
    return super.take(section, key, value, written, v3, walk);
  }

  private static JsonNode machines(JsonNode given, String to, String written, Walk walk) {
    if (!(given instanceof ArrayNode list)) {
      return given;
    }
    ArrayNode renamed = list.arrayNode();
    for (int i = 0; i < list.size(); i++) {
      String place = Pointer.child(to, i);
      String here = Pointer.child(written, i);
      walk.places().put(place, here);
      if (!(list.get(i) instanceof ObjectNode machine)) {
        renamed.add(list.get(i));
        continue;
      }
      ObjectNode each = renamed.addObject();
      for (Map.Entry<String, JsonNode> entry : machine.properties()) {
        String key = entry.getKey();
        if (Keys.find(key, MACHINE_INERT).isPresent()) {
          inert(MACHINES + "." + key, walk);
          continue;
        }
        String name = newer(key, MACHINE);
        if (name == null) {
          name = newer(key, MACHINE_TOO);
        }
        String target = name == null ? key : name;
        walk.places().put(Pointer.child(place, target), Pointer.child(here, key));
        each.set(target, entry.getValue());
      }
    }
    return renamed;
  }

  @Override
  public void places(JsonNode v1, String at, OlderPlaces places) {
    super.places(v1, at, places);
    places.elements(v1, "/" + MACHINES, MACHINE, at + "/" + MACHINES);
  }

  @Override
  public void convert(JsonNode v1, ObjectNode service) {
    super.convert(v1, service);
    ArrayNode machines = service.putArray(MACHINES);
    v1.path(MACHINES)
        .forEach(machine ->
            machines.add(rename(machine, MACHINE, JsonNodeFactory.instance.objectNode())));
  }
}
