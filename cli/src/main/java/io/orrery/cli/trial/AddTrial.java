package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.cli.client.Assignment;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery trial add}. */
@Command(name = "add", description = "Queue a trial with parameters of your own.")
final class AddTrial implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(
      names = "--param",
      paramLabel = "K=V",
      arity = "1",
      description = "A parameter; may be repeated. What reads as JSON is that: 3 is a number.")
  private List<String> parameters = new ArrayList<>();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "All parameters: an object in YAML or JSON.")
  private @Nullable String file;

  @Mixin private DryRunOption dryRun = new DryRunOption();

  AddTrial(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (parameters.isEmpty() == (file == null)) {
      throw CommandFailure.refused(
          "say the parameters: each by --param NAME=VALUE, or all by --file FILE");
    }
    ObjectNode values = values();
    ConfigFile document = file == null ? null : ConfigFile.read(file, session.terminal());
    Resource trials = dryRun.at(Resource.of("experiments", choice.id(session.api()), "trials"));
    JsonNode answer =
        document == null
            ? noticed(session.api().post(trials, values.toString(), "application/json"))
            : document.post(session.api(), trials, session.terminal());
    if (session.json()) {
      session.print(answer);
    } else if (dryRun.isAsked()) {
      session.terminal().say(dryRun.said("the trial can be added"));
    } else {
      session.terminal().out().println(answer.path("id").asText());
    }
    return 0;
  }

  private JsonNode noticed(JsonNode answer) {
    answer.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
    return answer;
  }

  private ObjectNode values() {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    for (String parameter : parameters) {
      Assignment given = Assignment.read("--param", parameter);
      if (values.has(given.name())) {
        throw CommandFailure.refused("--param " + given.name() + " is given twice");
      }
      values.set(given.name(), value(given.value()));
    }
    return values;
  }

  /** The value of a text that reads as JSON, or else the text itself. */
  private static JsonNode value(String text) {
    try {
      return Json.parse(text);
    } catch (ProblemException noJson) {
      return TextNode.valueOf(text);
    }
  }
}
