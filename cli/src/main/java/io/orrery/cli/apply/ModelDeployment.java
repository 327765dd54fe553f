package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.ManifestApplier.Checked;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.service.ModelServiceName;
import io.orrery.core.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Deploys the service of a model, and waits until it is ready. */
public final class ModelDeployment {
  private static final Duration LOOK = Duration.ofMillis(250);

  /** Looks at a service that fails before it is given up: replicas are started again. */
  private static final int MOST_FAILED = 80;

  /** Looks at one that is cleared, which nothing starts again. */
  private static final int MOST_OFFLINE = 4;

  private static final Set<String> STARTING = Set.of("STARTING", "STOPPING");
  private static final Duration STARTUP = Duration.ofMinutes(10);
  private static final Duration FETCH = Duration.ofMinutes(5);

  private final Api api;
  private final Terminal terminal;
  private final Interrupts interrupts;

  public ModelDeployment(Api api, Terminal terminal, Interrupts interrupts) {
    this.api = api;
    this.terminal = terminal;
    this.interrupts = interrupts;
  }

  /**
   * A model as it is written: {@code digits@production} or {@code digits@3}.
   *
   * @param reference an alias, or a version
   */
  public record Named(String model, String reference) {
    /** Reads it. */
    public static Named of(String text) {
      int at = text.lastIndexOf('@');
      if (at <= 0 || at == text.length() - 1) {
        throw CommandFailure.refused(
            "name the model and an alias or version, such as digits@production or digits@3");
      }
      return new Named(text.substring(0, at), text.substring(at + 1));
    }

    private boolean isAlias(Api api) {
      return ModelAlias.valid(reference)
          && api.get(Resource.of("models", model)).path("aliases").has(reference);
    }
  }

  /** The document of a service, read once. */
  public static final class ServiceFile {
    private final Manifest manifest;

    private ServiceFile(Manifest manifest) {
      this.manifest = manifest;
    }

    /** The model that it names; empty for none. */
    public String model() {
      return manifest.document().root().path("model").path("name").asText("");
    }

    /** The alias that it names; empty for none. */
    public String alias() {
      return manifest.document().root().path("model").path("alias").asText("");
    }
  }

  /** Reads the document of one service. */
  public ServiceFile file(String name) {
    return new ServiceFile(read(name));
  }

  private Manifest read(String file) {
    ManifestReader reader = new ManifestReader(terminal, System.in);
    List<Manifest> manifests = reader.read(file);
    if (!reader.findings().isEmpty()) {
      throw CommandFailure.refused(String.join("\n", reader.findings()));
    }
    if (manifests.size() != 1 || manifests.getFirst().kind() != ObjectKind.SERVICE) {
      throw CommandFailure.refused(file + ": this is to be the document of one service");
    }
    return manifests.getFirst();
  }

  /**
   * Deploys a version.
   *
   * @param file the document of the service; null for the one that is there
   * @return the service when it is ready
   */
  public JsonNode deploy(Named named, @Nullable ServiceFile file, @Nullable String project) {
    boolean alias = named.isAlias(api);
    String service =
        file == null ? present(named, alias) : apply(named, alias, file.manifest, project);
    return ready(service);
  }

  private String present(Named named, boolean alias) {
    String name =
        alias
            ? ModelServiceName.ofAlias("serving", named.model(), named.reference())
            : ModelServiceName.of("serving", named.model(), named.reference());
    Resource one = Resource.of("services", name);
    if (api.find(one).isEmpty()) {
      throw CommandFailure.refused(
          "there is no service %s yet: write how it runs into a file, and name it with --service"
              .formatted(name));
    }
    api.post(one.below("deploy"), "{\"stage\": \"production\"}", "application/json");
    return name;
  }

  private String apply(Named named, boolean alias, Manifest manifest, @Nullable String project) {
    ObjectNode root = (ObjectNode) manifest.document().root();
    root.putObject("model")
        .put("name", named.model())
        .put(alias ? "alias" : "version", named.reference());
    ManifestApplier applier = new ManifestApplier(api, project, terminal::say);
    List<Checked> checked = applier.check(List.of(manifest), new ArrayList<>());
    String name = manifest.name();
    if (applier.apply(checked.getFirst()).equals("unchanged")) {
      // The same document, but the alias may have moved.
      api.post(
          Resource.of("services", name, "deploy"),
          "{\"stage\": \"production\"}",
          "application/json");
    }
    return name;
  }

  private JsonNode ready(String name) {
    String said = "";
    int failed = 0;
    long begun = System.nanoTime();
    while (true) {
      JsonNode service = api.get(Resource.of("services", name));
      JsonNode state = service.path("state");
      String status = state.path("status").asText();
      String reason = state.path("reason").asText("");
      if (status.equals("READY")) {
        return service;
      }
      failed = STARTING.contains(status) ? 0 : failed + 1;
      int most = status.equals("OFFLINE") ? MOST_OFFLINE : MOST_FAILED;
      Duration waited = Duration.ofNanos(System.nanoTime() - begun);
      if (failed > most || waited.compareTo(patience(service)) > 0) {
        throw CommandFailure.failed(
            "service %s is not ready, but %s%s"
                .formatted(name, status, reason.isEmpty() ? "" : ": " + reason));
      }
      String line = name + " " + status + (reason.isEmpty() ? "" : ": " + reason);
      if (!line.equals(said)) {
        terminal.say(line);
        said = line;
      }
      if (interrupts.pause(LOOK) > 0) {
        throw CommandFailure.interrupted();
      }
    }
  }

  /** How long a service may start: its own deadline, and time to fetch the model before. */
  private static Duration patience(JsonNode service) {
    return DurationText.parse(service.at("/startup/deadline").asText(""))
        .orElse(STARTUP)
        .plus(FETCH);
  }
}
