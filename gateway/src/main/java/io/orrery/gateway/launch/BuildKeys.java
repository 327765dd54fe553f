package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.image.ImageReference;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Network;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys for registries, and for builds of images on this machine. */
final class BuildKeys {
  static final ConfigKey<String> USER =
      ConfigKey.text(
          "builds.user",
          null,
          "the name of a user",
          "The ordinary user whose rights builds of images have when the server runs as root; the"
              + " server's own user otherwise. Needs builds.directory.");

  static final ConfigKey<String> DIRECTORY =
      ConfigKey.text(
          "builds.directory",
          null,
          "an absolute path",
          "Where builds of images and their layers are kept; the user of the builds must be able to"
              + " reach it. Below the server's home when it is not set.");

  static final ConfigKey<Integer> CONCURRENT =
      ConfigKey.integer(
          "builds.concurrent", 2, 1, 32, "How many images are built at once; others wait.");

  static final ConfigKey<Integer> CONTEXT_MEGABYTES =
      ConfigKey.integer(
          "builds.contextMegabytes",
          1024,
          1,
          1 << 20,
          "Megabytes that the context of a build may have.");

  static final ConfigKey<Integer> MINUTES =
      ConfigKey.integer("builds.minutes", 120, 1, 10_000, "Minutes after which a build is ended.");

  static final ConfigKey<String> IMAGE =
      ConfigKey.text(
          "builds.image",
          null,
          "the name of an image",
          "The image of pods in which images are built on Kubernetes clusters. It has buildah,"
              + " newuidmap and python3, and subordinate ids for the user with the number 1000.");

  static final ConfigKey<List<Network>> NETWORKS =
      new ConfigKey<>(
          "registries.networks",
          List.of(),
          "IP addresses and networks, such as [127.0.0.1, 10.0.0.0/8]",
          "The networks besides the Internet in which the server asks image registries for logins"
              + " and images. Without it none: users name registries, and could reach with them"
              + " what only the server should.",
          ProxyKeys::networks);

  static final List<ConfigKey<?>> KEYS =
      List.of(NETWORKS, USER, DIRECTORY, CONCURRENT, CONTEXT_MEGABYTES, MINUTES, IMAGE);

  private BuildKeys() {}

  /**
   * The values of the keys.
   *
   * @param networks besides the Internet in which registries are
   * @param directory null for one below the home
   * @param image null for none
   */
  record Settings(
      List<Network> networks,
      @Nullable String user,
      @Nullable Path directory,
      int concurrent,
      int contextMegabytes,
      int minutes,
      @Nullable String image) {
    /** Those of a configuration that says nothing. */
    static final Settings STANDARD = new Settings(List.of(), null, null, 2, 1024, 120, null);

    Settings {
      networks = List.copyOf(networks);
    }
  }

  static Settings read(Config config) {
    String user = config.find(USER);
    String directory = config.find(DIRECTORY);
    if (user != null && (directory == null || !user.matches("[a-z_][a-z0-9_-]{0,31}"))) {
      throw refused(
          "/builds/user",
          directory == null
              ? "builds.user needs builds.directory: a directory that the user can reach"
              : "builds.user is '%s', which is the name of no user".formatted(user));
    }
    if (directory != null && !Path.of(directory).isAbsolute()) {
      throw refused("/builds/directory", "builds.directory must be an absolute path");
    }
    String image = config.find(IMAGE);
    if (image != null && ImageReference.parse(image).isEmpty()) {
      throw refused("/builds/image", "builds.image is " + ImageReference.RULE);
    }
    return new Settings(
        config.get(NETWORKS),
        user,
        directory == null ? null : Path.of(directory).normalize(),
        config.get(CONCURRENT),
        config.get(CONTEXT_MEGABYTES),
        config.get(MINUTES),
        image);
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
