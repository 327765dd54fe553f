package io.orrery.studio.pipeline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document of a template.
 *
 * @param released whether others than its owner and administrators see it
 * @param image null for programs of the machine itself
 * @param command the words before the arguments
 * @param code the argument whose text is the last word of the command, in place of flags; null for
 *     flags
 * @param arguments by name, in the order of the document
 */
record TemplateDocument(
    String name,
    boolean released,
    @Nullable String image,
    List<String> command,
    @Nullable String code,
    Map<String, String> environment,
    Map<String, Argument> arguments) {
  TemplateDocument {
    command = List.copyOf(command);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }
}
