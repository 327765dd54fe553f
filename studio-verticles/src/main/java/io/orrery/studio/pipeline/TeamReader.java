package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.run.StepTeam;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.pipeline.TaskDocument.Action;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the pods that a task is together: its key {@code distributed}, or a template of ours. */
final class TeamReader {
  static final String KEY = "distributed";

  /** Arguments of our templates that say how many pods there are, and are no flags. */
  static final Set<String> ARGUMENTS = Set.of("workers", "ps");

  private final DocumentKeys keys;

  TeamReader(DocumentKeys keys) {
    this.keys = keys;
  }

  /** The operator whose job a template of ours is; null for a template of a command. */
  static StepTeam.@Nullable Kind kind(TemplateDocument template) {
    // Templates of users have no code that is a word of a command.
    return template.code() == null ? null : StepTeam.Kind.of(template.name());
  }

  /** The pods; null for one, and when something is wrong. */
  @Nullable StepTeam read(Action action) {
    StepTeam.Kind fixed = action instanceof OfTemplate of ? kind(of.template()) : null;
    if (fixed != null && keys.value(KEY) != null) {
      keys.wrong(KEY, "the template says which job it is: leave distributed out");
      return null;
    }
    if (fixed != null && action instanceof OfTemplate of) {
      for (String name : ARGUMENTS) {
        if (of.lookups().containsKey(name)) {
          keys.wrong("arguments", name + " is a number, without a lookup");
          return null;
        }
      }
      return new StepTeam(
          fixed, number(of.arguments(), "workers", 1), number(of.arguments(), "ps", 0));
    }
    ObjectNode object = keys.object(KEY);
    return object == null ? null : written(object);
  }

  private static int number(ObjectNode arguments, String name, int usual) {
    // The schema of the template tells what is no number.
    return arguments.has(name) ? Math.max(0, arguments.path(name).asInt()) : usual;
  }

  private @Nullable StepTeam written(ObjectNode object) {
    DocumentKeys inner = keys.inner(object, KEY, List.of("kind", "workers", "ps"));
    String word = inner.text("kind", 100);
    StepTeam.Kind kind = word == null ? null : StepTeam.Kind.of(word);
    Integer workers = inner.integer("workers", 0, StepTeam.MOST_PODS);
    Integer servers = inner.integer("ps", 0, StepTeam.MOST_PODS);
    if (kind == null) {
      inner.wrong(
          "kind",
          "kind is one of "
              + Arrays.stream(StepTeam.Kind.values())
                  .map(StepTeam.Kind::word)
                  .collect(Collectors.joining(", ")));
      return null;
    }
    if (servers != null && servers > 0 && !kind.hasServers()) {
      inner.wrong("ps", "a " + kind.word() + " has no parameter servers");
      return null;
    }
    return new StepTeam(
        kind, Objects.requireNonNullElse(workers, 1), Objects.requireNonNullElse(servers, 0));
  }
}
