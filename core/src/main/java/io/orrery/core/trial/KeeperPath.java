package io.orrery.core.trial;

import io.orrery.core.text.UrlPath;
import java.util.regex.Pattern;

/**
 * Where the keeper of an attempt speaks to the server. Each of these asks for the attempt's token
 * itself, so whoever guards the way to a server lets them pass, and nothing that only begins so.
 */
public final class KeeperPath {
  private static final Pattern ALL =
      Pattern.compile(
          "/keeper/(?:beat|work|program|parameters|start|end|logs/[a-z]+|code/[0-9A-Za-z]+|outputs/.+)");

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
