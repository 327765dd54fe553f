package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.ModelDeployment;
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

  /** Checks the document before an experiment begins. */
  void check(String file) {
    if (deployment.model(file).isEmpty()) {
      throw CommandFailure.refused(
          file
              + ": /model/name: name the model that is served, such as"
              + " model: {name: digits, alias: production}");
    }
  }

  /**
   * Serves the best trial; the exit code.
   *
   * @param file the document of the service
   */
  int serve(JsonNode experiment, String file, @Nullable String project) {
    String model = deployment.model(file);
    String alias = deployment.alias(file);
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
