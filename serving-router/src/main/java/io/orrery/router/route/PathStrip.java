package io.orrery.router.route;

/**
 * The prefix that is removed from the path of a request before an endpoint gets it. It is compared
 * with what the client sends, byte for byte, and removed as whole segments.
 *
 * @param prefix begins with a slash, ends with none
 */
public record PathStrip(String prefix) {
  /**
   * The address without the prefix; the same when its path does not begin with it.
   *
   * @param uri path and query, as in a request line
   */
  public String of(String uri) {
    if (!uri.startsWith(prefix)) {
      return uri;
    }
    int end = prefix.length();
    if (end == uri.length()) {
      return "/";
    }
    return switch (uri.charAt(end)) {
      case '/' -> uri.substring(end);
      case '?' -> "/" + uri.substring(end);
      default -> uri;
    };
  }
}
