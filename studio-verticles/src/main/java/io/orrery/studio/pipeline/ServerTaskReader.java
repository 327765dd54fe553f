package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.pipeline.TaskDocument.Action;
import io.orrery.studio.pipeline.TaskDocument.AskPeople;
import io.orrery.studio.pipeline.TaskDocument.DoneByServer;
import io.orrery.studio.pipeline.TextTemplate.TaskOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads tasks without a program: experiments, registrations of models, deployments, and questions
 * to people.
 */
final class ServerTaskReader {
  private static final String EXPERIMENT = "experiment";
  private static final String MODEL = "model";
  private static final String SERVICE = "service";
  private static final String APPROVAL = "approval";

  /** The keys of a task besides that of its kind. */
  private static final List<String> ALLOWED =
      List.of("name", "title", "after", "when", "retry", "timeout");

  private static final int MOST_MESSAGE = 2_000;
  private static final int MOST_CONFIG = 500_000;

  private final DocumentKeys keys;
  private final LookupScope scope;

  private ServerTaskReader(DocumentKeys keys, LookupScope scope) {
    this.keys = keys;
    this.scope = scope;
  }

  /** The place where tasks of a kind are done, in the column of training services. */
  static String platform(String kind) {
    return kind.equals(APPROVAL) ? StepWork.PEOPLE : StepWork.SERVER;
  }

  /** The kind of a task; empty when it is a program. */
  static Optional<String> kind(DocumentKeys task) {
    return List.of(EXPERIMENT, MODEL, SERVICE, APPROVAL).stream()
        .filter(kind -> task.value(kind) != null)
        .findFirst();
  }

  /** The outputs that tasks of a kind have. */
  static List<OutputSpec> outputs(String kind) {
    List<String> names =
        switch (kind) {
          case EXPERIMENT -> List.of("experiment", "best.trial", "best.metric", "best.parameters");
          case MODEL -> List.of("model", "version");
          case APPROVAL -> StepWork.Approval.OUTPUTS;
          default -> List.of("service", "endpoint");
        };
    return names.stream().map(name -> new OutputSpec(name, true, name)).toList();
  }

  /**
   * Reads the work of a task.
   *
   * @return null when something is wrong with it
   */
  static @Nullable Action read(String kind, DocumentKeys keys, LookupScope scope) {
    for (String key : TaskReader.KEYS) {
      if (!ALLOWED.contains(key) && !key.equals(kind) && keys.value(key) != null) {
        keys.wrong(key, "a task with '%s' has no '%s'".formatted(kind, key));
      }
    }
    ServerTaskReader reader = new ServerTaskReader(keys, scope);
    if (kind.equals(APPROVAL)) {
      return reader.approval();
    }
    StepWork.OfServer work =
        switch (kind) {
          case EXPERIMENT -> reader.search();
          case MODEL -> reader.registration();
          default -> reader.deployment();
        };
    return work == null ? null : new DoneByServer(work);
  }

  /** A text that is asked, or an object with the text and who may answer. */
  private Action approval() {
    JsonNode value = keys.value(APPROVAL);
    if (!(value instanceof ObjectNode object)) {
      return new AskPeople(message(keys, APPROVAL), List.of());
    }
    DocumentKeys inner = keys.inner(object, APPROVAL, List.of("message", "by"));
    List<String> by = new ArrayList<>();
    for (JsonNode name : inner.list("by", 100)) {
      if (name.isTextual() && !name.textValue().isBlank()) {
        by.add(name.textValue());
      } else {
        inner.wrong("by", "by has the names of those who may answer, such as [ann, bob]");
      }
    }
    return new AskPeople(message(inner, "message"), by);
  }

  private TextTemplate message(DocumentKeys at, String key) {
    String text = Objects.requireNonNullElse(at.text(key, MOST_MESSAGE), "");
    if (text.isBlank()) {
      at.wrong(key, key + " says what is asked, such as \"Deploy the new model?\"");
    }
    return new ValueReader(at, scope).read(key, text);
  }

  private @Nullable ObjectNode whole(String key, String shape) {
    JsonNode value = keys.value(key);
    if (value instanceof ObjectNode object) {
      return object;
    }
    keys.wrong(
        key,
        "%s is a file beside the document, which `orrery apply` and `orrery pipeline run` send;"
                .formatted(key)
            + " here it is "
            + shape);
    return null;
  }

  private StepWork.@Nullable OfServer search() {
    ObjectNode object = whole(EXPERIMENT, "{config: the configuration, base: its directory}");
    if (object == null) {
      return null;
    }
    DocumentKeys inner = keys.inner(object, EXPERIMENT, List.of("config", "base"));
    JsonNode config = inner.value("config");
    String base = inner.text("base", 4_096);
    if (base != null && !base.startsWith("/")) {
      inner.wrong("base", "base is an absolute directory of the server's machine");
    }
    if (config == null || (config.isValueNode() && !config.isTextual())) {
      inner.wrong("config", "config is the configuration of an experiment");
      return null;
    }
    String text = config.isTextual() ? config.textValue() : Json.write(config);
    if (text.length() > MOST_CONFIG) {
      inner.wrong(
          "config", "the configuration has more than %,d characters".formatted(MOST_CONFIG));
    }
    return new StepWork.Search(text, base);
  }

  private StepWork.@Nullable OfServer registration() {
    ObjectNode object = keys.object(MODEL);
    if (object == null) {
      return null;
    }
    DocumentKeys inner =
        keys.inner(
            object,
            MODEL,
            List.of("name", "from", "experiment", "version", "alias", "aliases", "framework"));
    String name = Objects.requireNonNullElse(inner.text("name", 300), "");
    String version = inner.text("version", 300);
    String framework = Objects.requireNonNullElse(inner.text("framework", 100), "");
    boolean right = check(inner, "name", ModelName.valid(name), ModelName.RULE);
    right &=
        check(inner, "version", version == null || VersionName.valid(version), VersionName.RULE);
    List<ModelAlias> aliases = new ArrayList<>();
    for (String alias : aliases(inner)) {
      if (check(inner, "alias", ModelAlias.valid(alias), ModelAlias.RULE)) {
        aliases.add(new ModelAlias(alias));
      }
    }
    OutputRef from = output(inner, "from");
    OutputRef experiment = output(inner, EXPERIMENT);
    if ((inner.value("from") == null) == (inner.value(EXPERIMENT) == null)) {
      inner.wrong(
          "from",
          "a model is made from the files of a task, {{tasks.NAME.outputs.NAME}}, or from an"
              + " experiment, {{tasks.NAME.outputs.experiment}}: one of both");
    }
    checkFiles(inner, from);
    return right && (from != null || experiment != null)
        ? new StepWork.Registration(
            new ModelName(name),
            from,
            experiment,
            version == null ? null : new VersionName(version),
            framework,
            aliases)
        : null;
  }

  private static boolean check(DocumentKeys keys, String key, boolean right, String rule) {
    if (!right) {
      keys.wrong(key, key + " has " + rule);
    }
    return right;
  }

  private static List<String> aliases(DocumentKeys keys) {
    List<String> aliases = new ArrayList<>();
    String one = keys.text("alias", 300);
    if (one != null) {
      aliases.add(one);
    }
    keys.list("aliases", 20).forEach(alias -> aliases.add(alias.asText()));
    return aliases;
  }

  private @Nullable OutputRef output(DocumentKeys inner, String key) {
    String text = inner.text(key, 1_000);
    if (text == null) {
      return null;
    }
    TextTemplate read = LookupReader.read(text, scope, message -> inner.wrong(key, message));
    if (read.parts().size() == 1 && read.parts().getFirst() instanceof TaskOutput(OutputRef ref)) {
      return ref;
    }
    inner.wrong(key, key + " is one output: {{tasks.NAME.outputs.NAME}}");
    return null;
  }

  /** A model has files: an output that is a text is none. */
  private void checkFiles(DocumentKeys inner, @Nullable OutputRef from) {
    if (from != null
        && scope.outputs().getOrDefault(from.task(), List.of()).stream()
            .anyMatch(output -> output.name().equals(from.name()) && output.value())) {
      inner.wrong("from", from + " is a text and no file: name an output {path: …}");
    }
  }

  private StepWork.@Nullable OfServer deployment() {
    ObjectNode object = whole(SERVICE, "the document of a service");
    if (object == null) {
      return null;
    }
    String name = object.path("name").asText("");
    if (!ServiceName.valid(name)) {
      keys.wrong(SERVICE, "the name of a service has " + ServiceName.RULE);
      return null;
    }
    return new StepWork.Deployment(new ServiceName(name), Json.write(object));
  }
}
