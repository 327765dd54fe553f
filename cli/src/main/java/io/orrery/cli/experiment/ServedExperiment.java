package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.ModelDeployment;
import io.orrery.cli.apply.ModelDeployment.ServiceFile;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.server.Interrupts;
import org.jspecify.annotations.Nullable;

/** Registers what the best trial of an experiment left, and deploys the service of that model. */
final class ServedExperiment {
  private final Session session;
  private final Api api;
  private final ModelDeployment deployment;

  ServedExperiment(Session session, Api api, Interrupts interrupts) {
    this.session = session;
    this.api = api;
    this.deployment = new ModelDeployment(api, session.terminal(), interrupts);
  }

  /** Reads and checks the document before an experiment begins. */
  ServiceFile read(String name) {
    ServiceFile file = deployment.file(name);
    if (file.model().isEmpty()) {
      throw CommandFailure.refused(
          name
              + ": /model/name: name the model that is served, such as"
              + " model: {name: digits, alias: production}");
    }
    return file;
  }

  /**
   * Serves the best trial; the exit code.
   *
   * @param file the document of the service
   */
  int serve(JsonNode experiment, ServiceFile file, @Nullable String project) {
    String model = file.model();
    String alias = file.alias();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("source").put("experiment", experiment.path("id").asText());
    if (!alias.isEmpty()) {
      body.putArray("aliases").add(alias);
    }
    String version =
        api.post(
                Resource.of("models", model, "versions").with("project", project),
                body.toString(),
                "application/json")
            .path("version")
            .asText();
    session.terminal().say(model + " version " + version);
    JsonNode service =
        deployment.deploy(
            new ModelDeployment.Named(model, alias.isEmpty() ? version : alias), file, project);
    if (session.json()) {
      session.print(service);
    } else {
      session.terminal().out().println("serving: " + service.path("state").path("url").asText());
    }
    return 0;
  }
}
