package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.hybrid.HybridSection;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reads several platforms that share the trials of one experiment: NNI's list, or {@code platform:
 * hybrid} with {@code services}. Each is read as if it stood alone, with what it inherits from the
 * top level, and only says where in the list it stands.
 */
final class HybridReader {
  private static final String AT = "/trainingService";
  private static final String SERVICES = AT + "/services";

  private final Walk walk;
  private final BiConsumer<ObjectNode, Walk> alone;

  /**
   * @param alone reads and completes a top level with one platform in it
   */
  HybridReader(Walk walk, BiConsumer<ObjectNode, Walk> alone) {
    this.walk = walk;
    this.alone = alone;
  }

  /** The canonical section. */
  ObjectNode read(ObjectNode root) {
    JsonNode given = root.path("trainingService");
    ObjectNode hybrid;
    if (given.isArray()) {
      walk.places().put(SERVICES, walk.places().written(AT));
      hybrid = JsonNodeFactory.instance.objectNode();
      hybrid.set("services", given);
    } else {
      hybrid = HybridSection.SCHEMA.read(given, AT, walk);
    }
    hybrid.put("platform", "hybrid");
    JsonNode services = hybrid.path("services");
    ObjectNode inherited = hybrid.deepCopy();
    inherited.remove(List.of("platform", "services"));
    inherited.setAll(root);
    ArrayNode canonical = JsonNodeFactory.instance.arrayNode();
    if (!services.isArray() || services.isEmpty()) {
      if (!walk.excused(SERVICES) && !walk.faultyWithin(SERVICES)) {
        walk.refuse(
            SERVICES, "must be a list of platforms, each an object such as {platform: local}");
      }
    } else {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < services.size(); i++) {
        canonical.add(one(services.get(i), i, inherited, names));
      }
    }
    hybrid.set("services", canonical);
    return hybrid;
  }

  private ObjectNode one(JsonNode given, int number, ObjectNode root, Set<String> names) {
    String at = Pointer.child(SERVICES, number);
    if (!given.isObject()) {
      walk.refuse(at, "must be an object such as {platform: local}, this is " + Shown.of(given));
      return JsonNodeFactory.instance.objectNode();
    }
    ObjectNode share = JsonNodeFactory.instance.objectNode();
    ObjectNode own = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> entry : given.properties()) {
      boolean shared = Keys.find(entry.getKey(), HybridSection.SHARE.names()).isPresent();
      (shared ? share : own).set(entry.getKey(), entry.getValue());
    }
    ObjectNode shares = HybridSection.SHARE.read(share, at, walk);
    ObjectNode read = alone(own, at, root);
    String platform = read.path("platform").asText();
    if (platform.equals("hybrid")) {
      walk.refuse(at + "/platform", "is hybrid: what shares trials out is no place to share them");
    }
    String name = shares.path("name").asText(platform);
    if (!names.add(name)) {
      walk.refuse(
          at,
          shares.has("name")
              ? "has the name '" + name + "', as another one in this list"
              : "is " + name + " once more: give it a name of its own");
    }
    if (!platform.equals("local") && !platform.isEmpty() && !names.add("\n" + platform)) {
      walk.refuse(
          at + "/platform", "is " + platform + " once more: only local may be there several times");
    }
    shares.put("name", name);
    return HybridSection.SHARE.ordered(shares).setAll(read);
  }

  /** One section as if it were the only one, with findings at its own place. */
  private ObjectNode alone(ObjectNode own, String at, ObjectNode root) {
    Walk inside = walk.within(AT, at);
    ObjectNode single = root.deepCopy();
    single.set("trainingService", own);
    alone.accept(single, inside);
    walk.absorb(inside, AT, at);
    return single.path("trainingService") instanceof ObjectNode read ? read : own;
  }
}
