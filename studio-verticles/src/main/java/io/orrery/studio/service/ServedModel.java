package io.orrery.studio.service;

import io.orrery.core.service.ModelServiceName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The model that a service serves.
 *
 * @param path where it lies, for the program; null when the document does not say
 */
record ServedModel(String name, String version, @Nullable String path) {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{?(model_name|model_version|model_path|digits)\\b}?");

  /** The name that the service has to have. */
  String serviceName(ServiceType type) {
    return ModelServiceName.of(type.word(), name, version);
  }

  /** A text with the values of {@code $model_name}, {@code $model_version}, {@code $model_path}. */
  String fill(String text) {
    Matcher variables = VARIABLE.matcher(text);
    return variables.replaceAll(variable ->
        Matcher.quoteReplacement(
            switch (variable.group(1)) {
              case "model_name" -> name;
              case "model_version" -> version;
              case "digits" -> version.replaceAll("[^0-9]", "");
              default -> path == null ? "" : path;
            }));
  }
}
