package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The workspace of an author, as the place of the trials' code: a file names a directory of it as
 * programs see it, {@code /mnt/<user>/…}, and so it stays in the specification. Blocks.
 *
 * @param user the author
 */
public record OwnWorkspace(Workspaces workspaces, String user) {
  private static final String KEY = "/trialCodeDirectory";

  /**
   * Whether a key may name a directory of a workspace, and this path does.
   *
   * @param written absolute, as the author wrote it
   */
  static boolean means(String pointer, Path written) {
    return pointer.endsWith(KEY) && Workspaces.shows(written);
  }

  /** The directory as programs see it, or null after a finding. */
  @Nullable JsonNode read(Path written, String pointer, Walk walk) {
    Path own = Workspaces.shownAt(user);
    Path named = written.normalize();
    if (user.isEmpty() || !written.startsWith(own)) {
      walk.refuse(
          pointer,
          "must be a directory: %s is none of this machine, and of workspaces only your own can be named%s"
              .formatted(written, user.isEmpty() ? "" : ", " + own));
      return null;
    }
    if (!named.startsWith(own)) {
      walk.refuse(pointer, "must stay below %s, and %s leaves it".formatted(own, written));
      return null;
    }
    try {
      ConfinedDirectory.open(workspaces.of(user), own.relativize(named)).close();
      return TextNode.valueOf(named.toString());
    } catch (NoSuchFileException e) {
      walk.refuse(pointer, "must be a directory: %s is not in your workspace".formatted(named));
    } catch (IOException e) {
      // The fault itself names the place on the server.
      walk.refuse(
          pointer,
          "must be a directory of your workspace, without a link on the way to it: %s is none"
              .formatted(named));
    }
    return null;
  }
}
