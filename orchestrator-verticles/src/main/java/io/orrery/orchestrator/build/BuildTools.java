package io.orrery.orchestrator.build;

import io.orrery.core.code.GitFetch;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.ImageReference;
import io.orrery.core.process.SearchPath;
import io.orrery.core.run.StepCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks whether this machine can build images. Blocks. */
final class BuildTools {
  private static final String ROOT = "root";
  private static final Path SUBORDINATES = Path.of("/etc/subuid");

  private BuildTools() {}

  /**
   * Sentences about what is missing.
   *
   * @param environment of the server
   * @param server the user that the server runs as
   * @param user whose rights builds have; null for the server's own
   */
  static List<String> missing(
      BuildSpec spec, Map<String, String> environment, String server, @Nullable String user) {
    List<String> missing = new ArrayList<>();
    if (spec.git() != null) {
      String git = GitFetch.missing(SearchPath.of(environment));
      if (git != null) {
        missing.add(git);
      }
    }
    if (spec.isEnvironment()) {
      EnvironmentBuild.missing(SearchPath.of(environment)).ifPresent(missing::add);
      return missing;
    }
    String path = environment.getOrDefault("PATH", "");
    boolean found = isInstalled(path, "buildah") && isInstalled(path, "newuidmap");
    if (!found) {
      missing.add(
          "images cannot be built on the server's machine: install buildah and newuidmap (Debian and"
              + " Ubuntu: apt install buildah uidmap)");
    }
    String builder = user == null ? server : user;
    if (builder.equals(ROOT)) {
      missing.add(
          "the server runs as root, and images are built without privileges: name an ordinary user"
              + " in builds.user of the server's configuration");
    } else if (found && !hasSubordinates(builder)) {
      missing.add(
          "user %s has no subordinate user ids: add a line %s:100000:65536 to /etc/subuid and /etc/subgid"
              .formatted(builder, builder));
    }
    if (ImageReference.parse(spec.target()).filter(image -> image.digest() == null).isEmpty()) {
      missing.add("the target is " + ImageReference.RULE.replace(", with a tag or a digest", ""));
    }
    return missing;
  }

  /**
   * Sentences about what is missing for a build in pods.
   *
   * @param image of the pods; null when none is configured
   */
  static List<String> missing(String cluster, List<StepCluster> clusters, @Nullable String image) {
    List<String> missing = new ArrayList<>();
    if (clusters.stream().noneMatch(each -> each.hasPods() && each.name().equals(cluster))) {
      missing.add(
          "there is no Kubernetes cluster '%s' in the server's configuration; there is %s"
              .formatted(
                  cluster,
                  clusters.stream()
                      .filter(StepCluster::hasPods)
                      .map(StepCluster::name)
                      .collect(Collectors.joining(", "))));
    }
    if (image == null) {
      missing.add(
          "no image is set for builds in pods: name one with buildah, newuidmap and python3 in"
              + " builds.image of the server's configuration");
    }
    return missing;
  }

  private static boolean isInstalled(String path, String program) {
    for (String folder : path.split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasSubordinates(String user) {
    try {
      return Files.readAllLines(SUBORDINATES).stream()
          .anyMatch(line -> line.startsWith(user + ":"));
    } catch (IOException unreadable) {
      return false;
    }
  }
}
