package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.command.Placeholders;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Walk;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.text.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that every trial has the parameters that its command names, because a trial without one
 * could not be started.
 */
final class CommandNames {
  private static final String SPACE = "/searchSpace";

  private CommandNames() {}

  /**
   * What is wrong with each name that not every trial has.
   *
   * @return by name a predicate of the command
   */
  static Map<String, String> check(String command, ParameterShape shape) {
    ParameterShape.Names names = shape.names();
    Map<String, String> faults = new LinkedHashMap<>();
    for (String name : Placeholders.in(command)) {
      if (names.sometimes().contains(name)) {
        faults.put(
            name,
            "has {{params.%s}}, but not every trial has '%s': it depends on the option chosen"
                .formatted(name, name));
      } else if (!names.always().contains(name)) {
        faults.put(
            name,
            "has {{params.%s}}, but the search space has no '%s'%s; it has %s"
                .formatted(
                    name,
                    name,
                    Nearest.hint(name, names.always()),
                    names.always().isEmpty() ? "none" : String.join(", ", names.always())));
      }
    }
    return faults;
  }

  /**
   * The same while a file is read; what cannot be told because of a fault in the space is not.
   *
   * @param pointer where the command stands
   * @param space as it was written
   */
  static void check(
      String command, String pointer, JsonNode space, ParameterShape shape, Walk walk) {
    List<String> unread =
        space.properties().stream()
            .map(Map.Entry::getKey)
            .filter(key -> walk.faultyWithin(Pointer.child(SPACE, key)))
            .toList();
    check(command, shape)
        .forEach((name, fault) -> {
          if (unread.stream().noneMatch(key -> name.equals(key) || name.startsWith(key + "."))) {
            walk.refuse(pointer, fault);
          }
        });
  }
}
