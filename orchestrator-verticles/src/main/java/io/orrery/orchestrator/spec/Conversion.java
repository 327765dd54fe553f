package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.schema.Paths;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A v1 file in v3 form, key by key: nothing is completed and no path is looked at, so it can be
 * done for any platform, on any machine.
 *
 * @param config in v3 form; a file that is v3 already as it was
 * @param changes what became of the keys that have another name or place now, in full sentences
 */
public record Conversion(JsonNode config, List<String> changes) {
  public Conversion {
    changes = List.copyOf(changes);
  }

  /**
   * Converts a file. Throws Refused when it is neither YAML nor JSON, or has keys that v1 does not
   * know.
   */
  public static Conversion of(String text) {
    Document document = Document.read(text);
    JsonNode given = document.root();
    if (!given.isObject()) {
      throw new Problem.Refused(
              new Finding(
                  "", "an experiment file is an object of keys, this is " + Shown.of(given)))
          .toException();
    }
    return switch (Dialect.of(given)) {
      case V3 -> new Conversion(given, List.of());
      case V1 -> older(document);
    };
  }

  private static Conversion older(Document document) {
    JsonNode v1 = document.root();
    Walk walk =
        new Walk(
            new Places(document),
            new Paths(null, Path.of("/"), null),
            UnaryOperator.identity(),
            UnknownKey::advice);
    String platform =
        ServiceSections.canonical(
            NniV1.service(v1) instanceof ObjectNode named
                ? named.path("platform").asText()
                : "local");
    ObjectNode v3 = NniV1.translate(v1, !platform.equals("local"), walk);
    if (!walk.clean()) {
      throw Problem.Refused.of(walk.findings()).toException();
    }
    v3.set("trainingService", V1Platforms.service(v1, platform));
    List<String> changes = new ArrayList<>();
    moved("", v1, changes);
    for (String section : V1Keys.SECTIONS) {
      if (section.equals("localConfig") && !List.of("local", "hybrid").contains(platform)) {
        if (v1.has(section)) {
          changes.add("localConfig is left out: it has no effect on " + platform + ".");
        }
        continue;
      }
      moved(section, v1.path(section), changes);
    }
    V1Keys.otherPlatforms().stream()
        .filter(v1::has)
        .forEach(section -> changes.add(section + " is a part of trainingService now."));
    return new Conversion(ordered(v3), changes);
  }

  private static void moved(String section, JsonNode keys, List<String> changes) {
    String before = section.isEmpty() ? "" : section + ".";
    for (Map.Entry<String, JsonNode> entry : keys.properties()) {
      String key = entry.getKey();
      String to = V1Keys.moves(section).get(key);
      if (to != null && !to.equals("/" + before.replace('.', '/') + key)) {
        changes.add(before + key + " is " + to.substring(1).replace('/', '.') + " now.");
      } else if (V1Keys.inert(section).contains(key)
          || (section.isEmpty() && V1Keys.DROPPED.contains(key))) {
        changes.add(before + key + " is left out: it has no effect.");
      } else if (key.equals("classFileName")) {
        changes.add(before + key + " is the first part of " + before + "className now.");
      }
    }
  }

  /** In the order of the reference, whatever the order of the keys was. */
  private static JsonNode ordered(ObjectNode v3) {
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    ExperimentSchema.ROOT.names().stream()
        .filter(v3::has)
        .forEach(key -> ordered.set(key, v3.get(key)));
    return ordered;
  }
}
