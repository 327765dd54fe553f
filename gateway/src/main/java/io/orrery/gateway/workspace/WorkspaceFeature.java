package io.orrery.gateway.workspace;

import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of the files of people. */
public final class WorkspaceFeature {
  private WorkspaceFeature() {}

  /**
   * Its groups of routes.
   *
   * @param workspaces the directories of people
   * @param mostBytes that the files of a person may have
   */
  public static List<Api> apis(EdgeParts edge, Workspaces workspaces, long mostBytes) {
    WorkspaceApi files =
        new WorkspaceApi(
            edge.bus(),
            workspaces,
            mostBytes,
            edge.bodies(),
            edge.clock(),
            edge.patience(),
            edge.random());
    return List.of(
        new FilePlaceApi(edge.bus()),
        // Before the paths below: its own is that of a person.
        files.copies(edge.bus(), edge.ownerships()),
        files);
  }
}
