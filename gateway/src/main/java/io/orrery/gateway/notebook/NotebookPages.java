package io.orrery.gateway.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Percent;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Finds the page of a notebook that runs, which shows a file or directory. */
record NotebookPages(Bus bus) {
  private static final String HOST = "host";
  private static final String LAB = "lab/tree/";
  private static final String CLASSIC = "tree/";
  private static final int OK = 200;
  private static final int REDIRECTS = 400;

  /**
   * The path of the page in the origin of the notebook; the first page where the program cannot
   * show another one while it runs.
   *
   * @param path of a file or directory below the owner's {@code /mnt/<user>}
   */
  Future<String> of(Notebook notebook, WorkloadRef workload, String path) {
    String below = below(notebook, path);
    return switch (notebook.ide()) {
      case JUPYTER ->
          bus.request(Workloads.CALL, new Workloads.Call(workload, "/lab"))
              .map(called -> called.status() >= OK && called.status() < REDIRECTS)
              .map(isLab -> (isLab ? LAB : CLASSIC) + encoded(below));
      case VSCODE ->
          Future.succeededFuture(isContainer(notebook) ? "?folder=" + encoded(path) : "");
      case TENSORBOARD ->
          Future.failedFuture(
              new Problem.Conflict(
                      "Notebook %s is TensorBoard, which shows the directory that its document opens. Open %s in one of Jupyter or Visual Studio Code."
                          .formatted(notebook.name(), path))
                  .toException());
    };
  }

  /** Whether the program sees the directory at its path for sure; on the machine it may not. */
  private static boolean isContainer(Notebook notebook) {
    String image = Json.parse(notebook.document()).path("image").asText(HOST);
    return !image.equals(HOST) && EnvironmentName.isContainer(image);
  }

  private static String below(Notebook notebook, String path) {
    String root = Workspaces.shownAt(notebook.owner()) + "/";
    boolean isBelow = path.startsWith(root) && path.length() > root.length();
    if (!isBelow || Arrays.asList(path.split("/", -1)).contains("..")) {
      throw new Problem.Refused(
              new Finding("", "open is a path below %s without '..'".formatted(root)))
          .toException();
    }
    return path.substring(root.length());
  }

  private static String encoded(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(Percent::encoded)
        .collect(Collectors.joining("/"));
  }
}
