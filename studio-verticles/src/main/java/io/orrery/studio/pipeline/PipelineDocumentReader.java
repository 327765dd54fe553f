package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.PipelineName;
import io.orrery.core.trial.ParameterVariable;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.document.VariableReader;
import io.orrery.studio.schedule.PipelineSchedule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the document of a pipeline, with everything that is wrong in it. */
final class PipelineDocumentReader {
  /** The keys that a document may have. */
  static final List<String> KEYS =
      List.of(
          "kind",
          "name",
          "title",
          "describe",
          "project",
          "parameters",
          "env",
          "parallelism",
          "tasks",
          "onExit",
          "schedule",
          "alerts",
          "layout");

  /** The keys that its last task may have. */
  static final List<String> EXIT_KEYS =
      List.of(
          "name",
          "title",
          "template",
          "arguments",
          "command",
          "image",
          "cluster",
          "volume_mount",
          "code",
          "trainingService",
          "resources",
          "retry",
          "timeout",
          "env");

  private static final int MOST_TASKS = 10_000;
  private static final int MOST_PARALLEL = 10_000;
  private static final int USUALLY_PARALLEL = 3;

  private final List<Finding> findings = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final DocumentKeys keys;
  private final PipelineSurroundings with;

  private PipelineDocumentReader(ObjectNode json, PipelineSurroundings with) {
    this.keys = DocumentKeys.of(json, "", KEYS, findings::add);
    this.with = with;
  }

  /**
   * A document that is right.
   *
   * @param notices sentences about it
   */
  record Reading(PipelineDocument document, List<String> notices) {
    Reading {
      notices = List.copyOf(notices);
    }
  }

  /** The names of the templates that a document uses, as far as it can be read. */
  static Set<String> templates(String text) {
    Set<String> names = new HashSet<>();
    JsonNode json = Json.parse(text);
    json.path("tasks").forEach(task -> names.add(task.path("template").asText("")));
    names.add(json.path("onExit").path("template").asText(""));
    names.remove("");
    return names;
  }

  /** The digests of the code that a document uses. */
  static Set<String> code(String text) {
    Set<String> digests = new HashSet<>();
    JsonNode json = Json.parse(text);
    List<String> written = new ArrayList<>();
    json.path("tasks")
        .forEach(task -> {
          written.add(task.path("code").asText(""));
          written.add(task.path("service").path("code").asText(""));
        });
    written.add(json.path("onExit").path("code").asText(""));
    written.stream()
        .filter(code -> code.startsWith("sha256:"))
        .forEach(code -> digests.add(code.substring("sha256:".length())));
    return digests;
  }

  /**
   * Reads a document.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  static Reading read(PipelineName name, String text, PipelineSurroundings with) {
    if (!(Json.parse(text) instanceof ObjectNode json)) {
      throw new Problem.Refused(new Finding("", "the document of a pipeline is an object"))
          .toException();
    }
    PipelineDocumentReader reader = new PipelineDocumentReader(json, with);
    PipelineDocument document = reader.document(name);
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return new Reading(document, reader.notices);
  }

  private PipelineDocument document(PipelineName name) {
    DocumentNames.check(keys, "Pipeline", name);
    keys.text("title", 500);
    keys.text("describe", 10_000);
    keys.object("layout");
    Map<String, Argument> parameters = parameters();
    Map<String, TextTemplate> environment = environment(parameters.keySet());
    Integer parallelism = keys.integer("parallelism", 1, MOST_PARALLEL);
    List<JsonNode> written = keys.list("tasks", MOST_TASKS);
    if (written.isEmpty()) {
      keys.wrong("tasks", "a pipeline has a task at least");
    }
    Map<String, DocumentKeys> byName = new LinkedHashMap<>();
    for (int i = 0; i < written.size(); i++) {
      named(written.get(i), Pointer.child("/tasks", i), TaskReader.KEYS, byName);
    }
    Map<String, List<OutputSpec>> outputs = new LinkedHashMap<>();
    byName.forEach((task, inner) -> outputs.put(task, outputsOf(inner)));
    LookupScope scope =
        new LookupScope(parameters.keySet(), environment.keySet(), outputs, Set.of());
    List<TaskDocument> tasks = new ArrayList<>();
    byName.forEach((task, inner) -> tasks.add(TaskReader.read(task, inner, scope, with)));
    TaskGraph.check(tasks, findings::add);
    tasks.stream()
        .filter(task ->
            task.container() == null
                && (task.resources().containsKey("cpu") || task.resources().containsKey("memory")))
        .findFirst()
        .ifPresent(task ->
            notices.add(
                "cpu and memory of %s are told to the program, and limit nothing on %s"
                    .formatted(task.name(), task.platform())));
    return new PipelineDocument(
        parameters,
        environment,
        parallelism == null ? USUALLY_PARALLEL : parallelism,
        tasks,
        onExit(byName, scope),
        schedule(parameters),
        AlertReader.read(keys));
  }

  /** The schedule; its runs are started without parameters, so that each needs a default. */
  private @Nullable PipelineSchedule schedule(Map<String, Argument> parameters) {
    ObjectNode object = keys.object("schedule");
    if (object == null) {
      return null;
    }
    List<Finding> missing = new ArrayList<>();
    ArgumentCheck.all(parameters, Json.MAPPER.createObjectNode(), "/parameters", missing::add);
    missing.forEach(finding ->
        findings.add(
            new Finding(
                finding.pointer(),
                "a run of the schedule is given no parameters: " + finding.message())));
    return PipelineSchedule.read(object, keys.pointer("schedule"), findings::add);
  }

  /** The outputs alone; what is wrong with them is found when the task is read. */
  private static List<OutputSpec> outputsOf(DocumentKeys task) {
    Optional<String> kind = ServerTaskReader.kind(task);
    if (kind.isPresent()) {
      return ServerTaskReader.outputs(kind.get());
    }
    ObjectNode bare = Json.MAPPER.createObjectNode();
    JsonNode outputs = task.value("outputs");
    if (outputs != null) {
      bare.set("outputs", outputs);
    }
    return TaskReader.outputs(DocumentKeys.of(bare, "", List.of("outputs"), ignored -> {}));
  }

  private Map<String, Argument> parameters() {
    ObjectNode object = keys.object("parameters");
    if (object == null) {
      return Map.of();
    }
    Map<String, Argument> parameters =
        ArgumentReader.arguments(object, keys.pointer("parameters"), findings::add);
    Map<String, String> variables = new LinkedHashMap<>();
    parameters
        .keySet()
        .forEach(name -> {
          String pointer = Pointer.child("/parameters", name);
          String variable = ParameterVariable.of(name);
          String other = variables.putIfAbsent(variable, name);
          if (!TaskReader.OUTPUT_NAME.matcher(name).matches()) {
            findings.add(
                new Finding(pointer, "the name of a parameter has letters, digits, _ and -"));
          } else if (other != null) {
            findings.add(
                new Finding(
                    pointer,
                    "%s and %s are the same variable %s".formatted(name, other, variable)));
          }
        });
    return parameters;
  }

  /**
   * The variables of the pipeline; they look up parameters and facts of the run, not each other.
   */
  private Map<String, TextTemplate> environment(Set<String> parameters) {
    LookupScope scope = new LookupScope(parameters, Set.of(), Map.of(), Set.of());
    Map<String, TextTemplate> environment = new LinkedHashMap<>();
    VariableReader.read(keys, "env", DocumentNames::isServers)
        .forEach((name, text) ->
            environment.put(
                name,
                LookupReader.read(
                    text, scope, message -> keys.wrong("env", name + ": " + message))));
    return environment;
  }

  private void named(
      JsonNode json, String pointer, List<String> known, Map<String, DocumentKeys> into) {
    if (!(json instanceof ObjectNode object)) {
      findings.add(new Finding(pointer, "a task is an object with a name"));
      return;
    }
    DocumentKeys task = DocumentKeys.of(object, pointer, known, findings::add);
    String name = task.text("name", 100);
    if (name == null || !PipelineName.valid(name)) {
      task.wrong("name", "the name of a task has " + PipelineName.RULE);
    } else if (into.putIfAbsent(name, task) != null) {
      task.wrong("name", "there are two tasks of the name " + name);
    }
  }

  private @Nullable TaskDocument onExit(Map<String, DocumentKeys> tasks, LookupScope scope) {
    ObjectNode object = keys.object("onExit");
    if (object == null) {
      return null;
    }
    Map<String, DocumentKeys> own = new LinkedHashMap<>();
    named(object, "/onExit", EXIT_KEYS, own);
    for (Map.Entry<String, DocumentKeys> entry : own.entrySet()) {
      if (tasks.containsKey(entry.getKey())) {
        entry.getValue().wrong("name", "there is a task of the name " + entry.getKey());
      }
      return TaskReader.read(entry.getKey(), entry.getValue(), scope.withoutOutputs(), with);
    }
    return null;
  }
}
