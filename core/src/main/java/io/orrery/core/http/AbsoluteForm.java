package io.orrery.core.http;

/** The absolute form of a request's address, {@code http://HOST/PATH} (RFC 9112 section 3.2.2). */
public final class AbsoluteForm {
  private AbsoluteForm() {}

  /** Where the host begins; 0 in an address of another form. */
  public static int authority(String uri) {
    return uri.regionMatches(true, 0, "http://", 0, 7)
        ? 7
        : uri.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
  }

  /** Where the host of an address of this form ends. */
  public static int path(String uri) {
    for (int i = authority(uri); i < uri.length(); i++) {
      if (uri.charAt(i) == '/' || uri.charAt(i) == '?') {
        return i;
      }
    }
    return uri.length();
  }

  /**
   * The address in origin form: an empty path is a slash, and {@code OPTIONS http://HOST} asks for
   * {@code *} (RFC 9112 section 3.2.4).
   *
   * @param uri of absolute form
   */
  public static String origin(String uri, boolean options) {
    String rest = uri.substring(path(uri));
    if (rest.isEmpty()) {
      return options ? "*" : "/";
    }
    return rest.charAt(0) == '?' ? "/" + rest : rest;
  }
}
