package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.json.Pointer;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates those parts of a v1 file that belong to one platform and are flat: its own section,
 * its keys of {@code trial}, its list of machines. What has no other name in v3 goes there under
 * its own, so that an unknown key is found by the v3 schema, at the place where its author wrote
 * it.
 */
final class V1Sections {
  private static final Set<String> PLATFORMS = Set.of("remote", "openpai", "dlts", "aml");

  /** The passphrase that NNI's own converter forgets to rename may have either name. */
  private static final Map<String, String> MACHINE_TOO = Map.of("sshPassphrase", "sshPassphrase");

  private V1Sections() {}

  /**
   * Takes a key that no other platform knows.
   *
   * @param section the v1 section that it stands in, empty for the top level
   * @param own the author's pointer of the key
   * @return whether it was one of this platform
   */
  static boolean take(
      @Nullable String platform,
      String section,
      String key,
      JsonNode value,
      String own,
      ObjectNode v3,
      Walk walk) {
    if (platform == null || !PLATFORMS.contains(platform)) {
      return false;
    }
    V1Platforms.Tables tables = V1Platforms.tables(platform);
    ObjectNode service = v3.withObjectProperty("trainingService");
    if (section.isEmpty() && platform.equals("remote") && Keys.same(key, "machineList")) {
      walk.places().put("/trainingService/machineList", own);
      service.set("machineList", machines(value, "/trainingService/machineList", own, walk));
      return true;
    }
    if (section.isEmpty() && tables.isNamed(key)) {
      if (!value.isObject()) {
        walk.here(own, key + " must be an object, this is " + Shown.of(value));
        return true;
      }
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        String name = newer(entry.getKey(), tables.own(), entry.getKey());
        put(service, name, entry.getValue(), Pointer.child(own, entry.getKey()), walk);
      }
      return true;
    }
    if (section.equals("trial")
        && platform.equals("openpai")
        && Keys.find(key, V1Platforms.YARN_INERT).isPresent()) {
      inert("trial." + key, walk);
      return true;
    }
    String name = section.equals("trial") ? newer(key, tables.trial()) : null;
    if (name == null) {
      return false;
    }
    put(service, name, value, own, walk);
    return true;
  }

  private static void put(ObjectNode service, String name, JsonNode value, String own, Walk walk) {
    walk.places().put("/trainingService/" + name, own);
    boolean megabytes = name.equals("trialMemorySize") && value.isNumber();
    service.set(name, megabytes ? TextNode.valueOf(value.asText() + "mb") : value);
  }

  private static JsonNode machines(JsonNode given, String to, String own, Walk walk) {
    if (!(given instanceof ArrayNode list)) {
      return given;
    }
    ArrayNode renamed = list.arrayNode();
    for (int i = 0; i < list.size(); i++) {
      String place = Pointer.child(to, i);
      String here = Pointer.child(own, i);
      walk.places().put(place, here);
      if (!(list.get(i) instanceof ObjectNode machine)) {
        renamed.add(list.get(i));
        continue;
      }
      ObjectNode each = renamed.addObject();
      for (Map.Entry<String, JsonNode> entry : machine.properties()) {
        if (Keys.find(entry.getKey(), V1Platforms.MACHINE_INERT).isPresent()) {
          inert("machineList." + entry.getKey(), walk);
          continue;
        }
        String name =
            newer(
                entry.getKey(),
                V1Platforms.MACHINE,
                newer(entry.getKey(), MACHINE_TOO, entry.getKey()));
        walk.places().put(Pointer.child(place, name), Pointer.child(here, entry.getKey()));
        each.set(name, entry.getValue());
      }
    }
    return renamed;
  }

  private static void inert(String key, Walk walk) {
    walk.notice("Keys of NNI v1 that have no effect: " + key + ".");
  }

  private static String newer(String key, Map<String, String> names, String otherwise) {
    String name = newer(key, names);
    return name == null ? otherwise : name;
  }

  private static @Nullable String newer(String key, Map<String, String> names) {
    return Keys.find(key, names.keySet()).map(names::get).orElse(null);
  }
}
