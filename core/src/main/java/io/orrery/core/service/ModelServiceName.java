package io.orrery.core.service;

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
    return type + "-" + model.toLowerCase(Locale.ROOT).replaceAll("[/:._]", "-") + "-" + digits;
  }
}
