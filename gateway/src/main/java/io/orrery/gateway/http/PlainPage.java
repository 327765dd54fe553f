package io.orrery.gateway.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parts that pages without a script of their own share: the style sheet, the theme that the
 * reader chose, and the bar at the top. Addresses are relative to the root of the server, so that
 * they hold below a path prefix too; such a page stands one step below the root.
 */
public final class PlainPage {
  /** The style sheet of these pages; open without a login, as the login is. */
  public static final String STYLE_PATH = "/style.css";

  /** The script that sets the theme before the first paint; open as well. */
  public static final String THEME_PATH = "/theme.js";

  /** Elements of the head. */
  public static final String STYLE =
      """
      <meta name="color-scheme" content="light dark">
      <script src="theme.js"></script>
      <link rel="stylesheet" href="style.css">
      """;

  /** The first element of the body. */
  public static final String TOP =
      """
      <header class="top"><a class="brand" href="./"><svg viewBox="0 0 32 32" aria-hidden="true">\
      <circle class="sun" cx="16" cy="16" r="3.6"/>\
      <ellipse cx="16" cy="16" rx="13" ry="6.4" transform="rotate(-28 16 16)"/>\
      <circle class="planet" cx="27.2" cy="9.6" r="3"/></svg><span>Orrery</span></a></header>
      """;

  private PlainPage() {}

  /**
   * An address of the server as it is written in an answer to a request (RFC 9110, 10.2.2: Location
   * may be relative): so it holds below the path prefix of a proxy, which the server does not know.
   *
   * @param requested the path that was asked for, from its first slash on; null is the root
   * @param target what comes after the root, without a slash at its start; empty for the root
   */
  public static String from(@Nullable String requested, String target) {
    long steps =
        Objects.requireNonNullElse(requested, "/").chars().filter(c -> c == '/').count() - 1;
    String up = "../".repeat((int) Math.max(0, steps));
    return up.isEmpty() && target.isEmpty() ? "./" : up + target;
  }
}
