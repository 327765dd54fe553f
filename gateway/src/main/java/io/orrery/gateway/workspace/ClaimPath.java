package io.orrery.gateway.workspace;

import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.http.Query;
import org.jspecify.annotations.Nullable;

/**
 * A path in a claim that a notebook of the person mounts in its pod.
 *
 * @param archive whether it is in the claim at {@code /archives}, and not in the one at {@code
 *     /mnt}
 */
record ClaimPath(NotebookName notebook, boolean archive, WorkspacePath path) {
  /** The parameters of a request that name a claim. */
  static final String NOTEBOOK = "notebook";

  static final String ARCHIVE = "archive";

  /** The path in the claim that a request names; null when it names none. */
  static @Nullable ClaimPath asked(Query query, WorkspacePath path) {
    String notebook = query.text(NOTEBOOK);
    boolean archive = query.flag(ARCHIVE);
    if (notebook == null) {
      if (archive) {
        throw refused("archive needs a notebook, whose pod has the archive");
      }
      return null;
    }
    if (!NotebookName.valid(notebook)) {
      throw none(notebook);
    }
    return new ClaimPath(new NotebookName(notebook), archive, path);
  }

  /** The failure of a notebook that is not there, or another person's. */
  static ProblemException none(String notebook) {
    return new Problem.NotFound("There is no notebook '%s' of yours.".formatted(notebook))
        .toException();
  }

  /** Another path of the same claim, as its programs see it or from its directory on. */
  ClaimPath to(String text) {
    String other = root(!archive);
    if (text.equals(other) || text.startsWith(other + "/")) {
      throw refused("a move ends in the directory in which it begins, " + root());
    }
    String root = root();
    String inside =
        text.equals(root) || text.startsWith(root + "/") ? text.substring(root.length()) : text;
    return new ClaimPath(notebook, archive, WorkspacePath.read(path.user(), inside));
  }

  /** The directory of the person in the pod. */
  String root() {
    return root(archive);
  }

  private String root(boolean ofArchive) {
    return (ofArchive ? Workspaces.archiveShownAt(path.user()) : Workspaces.shownAt(path.user()))
        .toString();
  }

  ClaimPath parent() {
    return new ClaimPath(notebook, archive, path.parent());
  }

  /** Refuses what changes the directory of the person itself. */
  void requireName() {
    if (path.isRoot()) {
      throw WorkspaceStorage.conflict(
          "%s itself is neither written nor moved nor deleted: name something in it."
              .formatted(root()));
    }
  }

  /** As programs in the pod see it. */
  String shown() {
    return path.isRoot() ? root() : root() + "/" + String.join("/", path.names());
  }

  private static ProblemException refused(String why) {
    return new Problem.Refused(new Finding("", why)).toException();
  }

  @Override
  public String toString() {
    return "%s in notebook %s".formatted(shown(), notebook);
  }
}
