package io.orrery.core.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * The name of a service that serves a version of a model: type, model and digits of the version.
 */
public final class ModelServiceName {
  private ModelServiceName() {}

  /**
   * The name, such as {@code tfserving-mnist-202208011} for version {@code v2022.08.01.1}. Slashes,
   * colons, dots and underscores of the model become hyphens; of the version, a {@code v}, dots and
   * colons are left out.
   *
   * @return a text that may be too long or empty to be a {@link ServiceName}
   */
  public static String of(String type, String model, String version) {
    String digits = version.toLowerCase(Locale.ROOT).replaceAll("[v.:]", "").replace('_', '-');
    return type + "-" + model.toLowerCase(Locale.ROOT).replaceAll("[/:._ ]", "-") + "-" + digits;
  }

  /**
   * The name by the key {@code model} of a document. With an alias instead of a version it is such
   * as {@code serving-digits-production}, which stays when the alias moves.
   */
  public static String of(String type, JsonNode model) {
    String name = model.path("name").asText("");
    String alias = model.path("alias").asText("");
    return alias.isEmpty()
        ? of(type, name, model.path("version").asText(""))
        : ofAlias(type, name, alias);
  }

  /** The name of a service that follows an alias. */
  public static String ofAlias(String type, String model, String alias) {
    return (type + "-" + model + "-" + alias).toLowerCase(Locale.ROOT).replaceAll("[/:._ ]", "-");
  }
}
