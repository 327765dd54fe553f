package io.orrery.studio.notebook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.WorkloadRole;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Freezes documents into complete specifications.
 *
 * @param domain that the hosts of notebooks end with
 */
record NotebookFreezer(String domain) {
  private static final String PORT = "http0";
  private static final int NUMBER = 3_000;
  private static final WorkloadPort SSH_PORT = new WorkloadPort("ssh", 3_022);
  private static final Duration STARTUP = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(200);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
  private static final String SSH = script("ssh.sh");
  private static final String JUPYTER = script("jupyter.sh");
  private static final String VSCODE = script("vscode.sh");
  private static final String TENSORBOARD = script("tensorboard.sh");

  /** The words of a script after which the directory and the token are known. */
  private static final String AFTER = "# SSH comes here.\n";

  /** The variable that has the token of the program. */
  private static final String TOKEN = "JUPYTER_TOKEN";

  private static String script(String name) {
    try (InputStream text = NotebookFreezer.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The workload of a notebook. */
  static WorkloadRef workload(NotebookName name) {
    return new WorkloadRef(WorkloadKind.NOTEBOOK, name.value());
  }

  /**
   * The owner and origin of a notebook.
   *
   * @param audience of its passes
   */
  record Identity(
      NotebookName name, ProjectName project, String owner, String audience, long epoch) {}

  /**
   * Freezes a document.
   *
   * @param project the settings of the project of the notebook
   */
  Want freeze(
      Identity notebook, NotebookDocument document, ProjectSettings project, long generation) {
    String cluster = document.cluster() == null ? project.cluster() : document.cluster();
    boolean image = EnvironmentName.isContainer(document.image());
    return new Want(
        workload(notebook.name()),
        notebook.project(),
        notebook.owner(),
        Objects.requireNonNullElse(cluster, Workloads.HERE),
        generation,
        new WorkloadSpec(
                List.of("/bin/sh", "-c", program(document)),
                document.image(),
                null,
                environment(notebook, document),
                document.keys().isEmpty()
                    ? List.of(new WorkloadPort(PORT, NUMBER))
                    : List.of(new WorkloadPort(PORT, NUMBER), SSH_PORT),
                new Probe(
                    PORT,
                    document.ide() == NotebookIde.JUPYTER ? "/api" : "/healthz",
                    PROBE_INTERVAL,
                    PROBE_TIMEOUT),
                STARTUP,
                GRACE,
                document.resources(),
                image ? project.effectiveMounts().and(document.mounts()) : document.mounts())
            .on(project.nodes(WorkloadRole.NOTEBOOK, document.resources().gpus())),
        null,
        1,
        route(notebook, generation));
  }

  private static String program(NotebookDocument document) {
    String script =
        switch (document.ide()) {
          case JUPYTER -> JUPYTER;
          case VSCODE -> VSCODE;
          case TENSORBOARD -> TENSORBOARD;
        };
    return script.replace(AFTER, document.keys().isEmpty() ? "" : SSH);
  }

  private static Map<String, String> environment(Identity notebook, NotebookDocument document) {
    Map<String, String> environment = new LinkedHashMap<>(document.environment());
    boolean image = EnvironmentName.isContainer(document.image());
    environment.put(WorkloadSpec.OWNER, notebook.owner());
    environment.put("NOTEBOOK_NAME", notebook.name().value());
    environment.put("ORRERY_NOTEBOOK_HOST", image ? "0.0.0.0" : "127.0.0.1");
    environment.put("ORRERY_OPEN", encoded(document.open()));
    if (!document.keys().isEmpty()) {
      environment.put("ORRERY_SSH_KEYS", String.join("\n", document.keys()));
    }
    if (image) {
      // An image knows nothing of the user, whose settings are to outlive its containers.
      environment.put("HOME", Workspaces.shownAt(notebook.owner()).toString());
      environment.put("ORRERY_WORKSPACE", Workspaces.shownAt(notebook.owner()).toString());
      environment.put("ORRERY_ARCHIVES", Workspaces.archiveShownAt(notebook.owner()).toString());
    }
    environment.put(TOKEN, WorkloadSpec.DERIVED_TOKEN);
    return environment;
  }

  private static String encoded(@Nullable String path) {
    return path == null
        ? ""
        : URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
  }

  /** Whether the route takes the passes of an epoch. */
  static boolean takesEpoch(Want want, long epoch) {
    return Json.parse(String.valueOf(want.route())).at("/access/epoch").asLong() == epoch;
  }

  /** The same with a route that takes the passes of another epoch. */
  static Want withEpoch(Want want, long epoch) {
    ObjectNode route = (ObjectNode) Json.parse(String.valueOf(want.route()));
    route.withObjectProperty("access").put("epoch", epoch);
    return new Want(
        want.workload(),
        want.project(),
        want.owner(),
        want.runtime(),
        want.generation(),
        want.spec(),
        want.code(),
        want.replicas(),
        Json.write(route));
  }

  /** The host of a notebook. */
  String host(NotebookName name) {
    return name + ".notebook." + domain;
  }

  /**
   * The name in the route table is another one for each generation, since the token of the program
   * is derived from it: who knew an old one cannot use it after a reset.
   */
  String route(Identity notebook, long generation) {
    ObjectNode route = Json.MAPPER.createObjectNode();
    route.put("name", "notebook." + notebook.audience() + "." + generation);
    route.putArray("hosts").add(host(notebook.name()));
    route.putObject("access").put("audience", notebook.audience()).put("epoch", notebook.epoch());
    route.putObject("inject").put("authorization", "derived");
    return Json.write(route);
  }
}
