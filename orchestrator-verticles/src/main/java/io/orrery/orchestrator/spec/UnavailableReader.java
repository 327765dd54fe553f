package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import io.orrery.core.text.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sections of platforms that cannot be had here: that they cannot is said once, and
 * whatever else is wrong with them is said as well.
 */
final class UnavailableReader {
  /** The platforms that may share the trials of one experiment, as in NNI. */
  private static final List<String> SHARING = List.of("local", "remote", "openpai", "aml");

  private final Walk walk;

  UnavailableReader(Walk walk) {
    this.walk = walk;
  }

  /** One platform; nothing is said of one whose keys are unknown. */
  void read(@Nullable String platform, JsonNode given, String at) {
    Schema schema = PlatformSchemas.of(platform);
    if (schema != null && ServiceSections.checkedEverywhere(platform)) {
      schema.read(given, at, walk);
    }
  }

  /** Several at once: NNI's hybrid. */
  void several(JsonNode list, String at) {
    if (list.isEmpty()) {
      walk.refuse(at, "as a list must name a platform");
    }
    for (int i = 0; i < list.size(); i++) {
      one(list.get(i), Pointer.child(at, i));
    }
  }

  private void one(JsonNode given, String at) {
    if (!given.isObject()) {
      walk.refuse(at, "must be an object such as {platform: local}, this is " + Shown.of(given));
      return;
    }
    String written =
        given.properties().stream()
            .filter(entry -> Keys.same(entry.getKey(), "platform"))
            .map(entry -> entry.getValue().asText())
            .findFirst()
            .orElse("");
    String platform = ServiceSections.canonical(written);
    if (!SHARING.contains(platform)) {
      walk.refuse(
          at + "/platform",
          (written.isEmpty() ? "is missing" : "is '" + written + "'")
              + ": several platforms at once are some of "
              + String.join(", ", SHARING)
              + Nearest.hint(platform, SHARING));
      return;
    }
    Schema known = PlatformSchemas.of(platform);
    if (known != null) {
      known.read(given, at, walk);
    } else {
      read(platform, given, at);
    }
  }
}
