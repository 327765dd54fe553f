package io.orrery.studio.pipeline;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.Parameters;
import io.orrery.studio.document.DocumentKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The training service that a task names.
 *
 * @param settings its other keys as they are written; the orchestrator knows which are right
 * @param named whether its environment of Python packages is written beside the section
 */
record TaskPlace(String platform, Parameters settings, boolean named) {
  private static final String LOCAL = "local";
  private static final String SIMULATED = "simulated";
  private static final String OUTPUTS = "outputs";
  private static final String KEY = "trainingService";
  private static final String PLATFORM = "platform";
  private static final int MOST_CHARACTERS = 100_000;
  private static final TypeReference<Map<String, @Nullable Object>> VALUES =
      new TypeReference<>() {};

  /** Programs of the server's machine. */
  static final TaskPlace HERE = new TaskPlace(LOCAL, Parameters.EMPTY, false);

  /** A training service that is all that a task says. */
  static TaskPlace of(String platform) {
    return new TaskPlace(platform, Parameters.EMPTY, false);
  }

  /**
   * Reads that of a task.
   *
   * @param platforms those on which steps can run
   */
  static TaskPlace read(DocumentKeys keys, List<String> platforms) {
    ObjectNode section = keys.object(KEY);
    if (section == null) {
      return HERE;
    }
    List<String> names = new ArrayList<>();
    section.fieldNames().forEachRemaining(names::add);
    String written = keys.inner(section, KEY, names).text(PLATFORM, 100);
    String platform = written == null ? LOCAL : written.toLowerCase(Locale.ROOT);
    if (!platforms.contains(platform)) {
      keys.wrong(
          KEY,
          "steps run on %s, not on '%s'%s"
              .formatted(
                  String.join(", ", platforms), platform, Nearest.hint(platform, platforms)));
      return of(platform);
    }
    ObjectNode settings = section.deepCopy();
    settings.remove(PLATFORM);
    if (Json.write(settings).length() > MOST_CHARACTERS) {
      keys.wrong(KEY, "trainingService has at most %,d characters".formatted(MOST_CHARACTERS));
      return of(platform);
    }
    return new TaskPlace(
        platform, new Parameters(Json.MAPPER.convertValue(settings, VALUES)), false);
  }

  /** The findings about outputs of a simulation that its task does not declare. */
  static void checkOutputs(DocumentKeys keys, TaskPlace place, List<OutputSpec> declared) {
    if (!place.platform().equals(SIMULATED)
        || !(place.settings().values().get(OUTPUTS) instanceof Map<?, ?> texts)) {
      return;
    }
    List<String> names = declared.stream().map(OutputSpec::name).toList();
    for (Object each : texts.keySet()) {
      String name = String.valueOf(each);
      if (!names.contains(name)) {
        keys.findings()
            .accept(
                new Finding(
                    Pointer.child(Pointer.child(keys.pointer(KEY), OUTPUTS), name),
                    "the task declares no output '%s'%s"
                        .formatted(
                            name,
                            names.isEmpty() ? ", and none at all" : Nearest.hint(name, names))));
      }
    }
  }

  /** The environment of Python packages that its program runs in; null for none. */
  @Nullable String environment() {
    return platform.equals(LOCAL) ? EnvironmentChoice.text(settings.values()) : null;
  }

  /** Whether programs are processes of the server's machine there. */
  boolean isHere() {
    return platform.equals(LOCAL);
  }

  /** The same in an environment. */
  TaskPlace in(String image) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(settings.values());
    all.put(EnvironmentChoice.KEY, image);
    return new TaskPlace(platform, new Parameters(all), true);
  }

  /** Whether there is something in it that only the orchestrator can check. */
  boolean isChecked() {
    return !platform.equals(LOCAL) || !settings.values().isEmpty();
  }

  /**
   * Looks for secrets of the project.
   *
   * @param pointer to the section
   * @param found told of each, with its place
   */
  void secrets(String pointer, BiConsumer<String, String> found) {
    secrets(Json.MAPPER.valueToTree(settings.values()), pointer, found);
  }

  private static void secrets(JsonNode node, String pointer, BiConsumer<String, String> found) {
    if (node.isTextual()) {
      SecretReference.name(node.textValue()).ifPresent(name -> found.accept(pointer, name));
    }
    node.properties()
        .forEach(entry -> secrets(entry.getValue(), Pointer.child(pointer, entry.getKey()), found));
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      secrets(node.get(i), Pointer.child(pointer, i), found);
    }
  }
}
