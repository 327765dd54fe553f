package io.orrery.core.image;

import io.orrery.core.access.ProjectName;
import io.orrery.core.trial.Parameters;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An environment in the settings of a training service, frozen: trials and steps have it whatever
 * is built later.
 *
 * @param project whose environment it is
 * @param name with the digest
 */
public record EnvironmentChoice(ProjectName project, EnvironmentName name) {
  /** The setting that names the environment, as it is written. */
  public static final String KEY = "image";

  /** The setting that the server adds when it freezes one; no document has it. */
  private static final String PROJECT = "imageProject";

  /** The environment that settings name; empty when they name none, or it is not frozen. */
  public static Optional<EnvironmentChoice> of(Map<String, @Nullable Object> settings) {
    return settings.get(PROJECT) instanceof String project
        ? EnvironmentName.parse(text(settings))
            .filter(name -> name.digest() != null)
            .map(name -> new EnvironmentChoice(new ProjectName(project), name))
        : Optional.empty();
  }

  /** The text that settings name an environment with; null for none. */
  public static @Nullable String text(Map<String, @Nullable Object> settings) {
    return settings.get(KEY) instanceof String text ? text : null;
  }

  /** Settings with this environment. */
  public Parameters in(Map<String, @Nullable Object> settings) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(settings);
    all.put(KEY, name.toString());
    all.put(PROJECT, project.value());
    return new Parameters(all);
  }

  /** Its directory. */
  public Path directory(EnvironmentPlace environments) {
    return environments.of(project, String.valueOf(name.digest()));
  }
}
