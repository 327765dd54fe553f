package io.orrery.core.trial;

import io.orrery.core.text.UrlPath;
import java.util.regex.Pattern;

/**
 * The paths at which the keeper of an attempt calls the server. Each checks the attempt's token
 * itself, so access control lets exactly these paths pass.
 */
public final class KeeperPath {
  private static final Pattern ALL =
      Pattern.compile(
          "/keeper/(?:beat|work|program|parameters|start|end|finish|logs/[a-z]+|code/[0-9A-Za-z]+|outputs/.+)");

  private KeeperPath() {}

  /**
   * Whether a path is one of them.
   *
   * @param path as the request has it, not decoded
   */
  public static boolean matches(String path) {
    return ALL.matcher(path).matches() && !UrlPath.hasDotSegments(path);
  }
}
