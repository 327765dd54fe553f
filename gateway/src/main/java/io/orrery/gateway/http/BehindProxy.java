package io.orrery.gateway.http;

import java.util.List;

/**
 * The configuration for a reverse proxy that serves this server below a path.
 *
 * @param basePath the path without a slash at its end, such as {@code /tune}; empty for none
 * @param trusted the proxies whose {@code X-Forwarded-Prefix} is believed; empty for none
 */
public record BehindProxy(String basePath, List<Network> trusted) {
  /** The configuration without a proxy, or for one whose path need not be known. */
  public static final BehindProxy NONE = new BehindProxy("", List.of());

  /** The longest path that is taken. */
  public static final int MOST_CHARACTERS = 200;

  private static final String STEPS = "(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+";

  public BehindProxy {
    trusted = List.copyOf(trusted);
  }

  /**
   * Whether a text is a path that a proxy may have: steps of letters, digits and {@code . _ ~ -},
   * each with a slash before it, none of them dots alone.
   */
  public static boolean isPath(String text) {
    return text.length() <= MOST_CHARACTERS && text.matches(STEPS);
  }
}
