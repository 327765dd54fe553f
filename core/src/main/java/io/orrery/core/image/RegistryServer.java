package io.orrery.core.image;

import io.orrery.core.http.HostName;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The place that an account of a registry is for: a host, and perhaps the beginning of the names of
 * its repositories.
 *
 * @param host in lower case, with its port when it has one
 * @param path such as {@code vision/tools}; empty for the whole host
 */
public record RegistryServer(String host, String path) {
  /** The rule in words. */
  public static final String RULE =
      "a host such as hub.example.com or localhost:5000, and perhaps a path: hub.example.com/vision";

  /** The host that images without a host are on. */
  static final String DOCKER = "docker.io";

  private static final int MOST = 300;
  private static final Pattern HOST =
      Pattern.compile(
          "(localhost|[a-z0-9-]+(\\.[a-z0-9-]+)+|[a-z0-9-]+(?=:)|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");
  private static final Pattern PATH = Pattern.compile(ImageReference.REPOSITORY);

  /** The place that a text names; empty when it names none. */
  public static Optional<RegistryServer> parse(String text) {
    String bare = text.strip().replaceFirst("/+$", "");
    if (bare.length() > MOST) {
      return Optional.empty();
    }
    int slash = bare.indexOf('/');
    String host = (slash < 0 ? bare : bare.substring(0, slash)).toLowerCase(Locale.ROOT);
    String path = slash < 0 ? "" : bare.substring(slash + 1);
    return isHost(host) && (path.isEmpty() || PATH.matcher(path).matches())
        ? Optional.of(new RegistryServer(host.equals("index.docker.io") ? DOCKER : host, path))
        : Optional.empty();
  }

  /** Whether the first part of the name of an image is a host. */
  static boolean isHost(String part) {
    return HOST.matcher(part).matches();
  }

  /** Whether the account is for an image: whole parts of names are compared. */
  public boolean has(ImageReference image) {
    return host.equals(image.host())
        && (path.isEmpty() || (image.repository() + "/").startsWith(path + "/"));
  }

  /**
   * The address of the registry's API. A registry on this machine is asked without TLS, any other
   * with it.
   */
  public String api() {
    return api(host);
  }

  static String api(String host) {
    return (HostName.isLoopback(host) ? "http://" : "https://")
        + (host.equals(DOCKER) ? "registry-1.docker.io" : host);
  }

  @Override
  public String toString() {
    return path.isEmpty() ? host : host + "/" + path;
  }
}
