package io.orrery.orchestrator.build;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of builds on this machine.
 *
 * @param root the directory of all builds and of their layers
 * @param user whose rights builds have when the server runs as root; null for the server's own
 * @param concurrent how many run at once
 * @param contextBytes the most bytes of a context
 * @param deadline the longest time of a build
 * @param image of pods in which images are built; null when none are
 */
public record BuildSettings(
    Path root,
    @Nullable String user,
    int concurrent,
    long contextBytes,
    Duration deadline,
    @Nullable String image) {
  /** The words in front of a command that give it the rights of the user; none for the server's. */
  List<String> asUser() {
    return user == null
        ? List.of()
        : List.of(
            "setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups", "--inh-caps=-all");
  }
}
