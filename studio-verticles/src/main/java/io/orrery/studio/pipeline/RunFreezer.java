package io.orrery.studio.pipeline;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.run.Condition;
import io.orrery.core.run.GitCode;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import io.orrery.core.trial.Parameters;
import io.orrery.studio.pipeline.TaskDocument.AskPeople;
import io.orrery.studio.pipeline.TaskDocument.DoneByServer;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import io.orrery.studio.pipeline.TaskDocument.Shell;
import io.orrery.studio.pipeline.TaskDocument.Values;
import io.orrery.studio.pipeline.TaskDocument.When;
import io.orrery.studio.pipeline.TaskDocument.Words;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns a pipeline with parameters into the complete specification of a run: nothing that is
 * decided later, such as a new version of a template, changes what runs.
 */
final class RunFreezer {
  private static final TypeReference<Map<String, @Nullable Object>> VALUES =
      new TypeReference<>() {};

  private final Start start;
  private final PipelineDocument document;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /**
   * A wish to run a pipeline.
   *
   * @param version whose document it is
   * @param due of the schedule; null for a run by hand
   * @param now the present instant
   */
  record Start(
      RunId run,
      Pipeline pipeline,
      long version,
      ObjectNode parameters,
      String runner,
      boolean cached,
      @Nullable Instant due,
      Instant now) {}

  private RunFreezer(Start start, PipelineDocument document) {
    this.start = start;
    this.document = document;
  }

  /**
   * Freezes a run.
   *
   * @throws ProblemException Refused, with every finding about parameters and what comes of them
   */
  static RunSpec freeze(Start start, PipelineDocument document) {
    RunFreezer freezer = new RunFreezer(start, document);
    RunSpec spec = freezer.spec();
    if (!freezer.findings.isEmpty()) {
      throw Problem.Refused.of(freezer.findings).toException();
    }
    return spec;
  }

  private RunSpec spec() {
    ObjectNode parameters =
        ArgumentCheck.all(document.parameters(), start.parameters(), "/parameters", findings::add);
    Map<String, String> texts = new LinkedHashMap<>();
    parameters.properties().forEach(entry -> texts.put(entry.getKey(), text(entry.getValue())));
    Pipeline pipeline = start.pipeline();
    Instant due = start.due();
    LookupValues bare =
        new LookupValues(
            texts,
            Map.of(),
            Map.of(),
            start.run(),
            due == null ? start.now() : due,
            pipeline.owner(),
            start.runner(),
            pipeline.name().value());
    Map<String, ValueText> variables = new LinkedHashMap<>();
    Map<String, String> known = new LinkedHashMap<>();
    document
        .environment()
        .forEach((name, text) -> {
          ValueText value = bare.freeze(text);
          variables.put(name, value);
          known.put(name, value.shown());
        });
    LookupValues values = bare.withVariables(known);
    List<StepSpec> steps = new ArrayList<>();
    for (TaskDocument task : document.tasks()) {
      steps(task, values, variables, steps);
    }
    if (steps.size() > RunSpec.MOST_STEPS) {
      findings.add(
          new Finding("/tasks", "a run has at most %,d steps".formatted(RunSpec.MOST_STEPS)));
    }
    TaskDocument exit = document.onExit();
    return new RunSpec(
        start.run(),
        pipeline.name().value(),
        Math.toIntExact(start.version()),
        pipeline.project(),
        pipeline.owner(),
        start.runner(),
        due == null ? "manual" : "schedule",
        due,
        new Parameters(Json.MAPPER.convertValue(parameters, VALUES)),
        document.parallelism(),
        start.cached(),
        steps,
        exit == null ? null : step(exit, exit.name(), Map.of(), values, variables),
        document.alerts());
  }

  private static String text(JsonNode value) {
    return value.isContainerNode() ? Json.write(value) : ArgumentWords.text(value);
  }

  private void steps(
      TaskDocument task,
      LookupValues values,
      Map<String, ValueText> variables,
      List<StepSpec> into) {
    if (task.each().isEmpty()) {
      names.add(task.name());
      into.add(step(task, task.name(), Map.of(), values, variables));
      return;
    }
    List<Map<String, String>> all = List.of(Map.of());
    for (Map.Entry<String, Values> entry : task.each().entrySet()) {
      List<String> list = list(task, entry.getKey(), entry.getValue(), values);
      if ((long) all.size() * list.size() > RunSpec.MOST_STEPS) {
        findings.add(
            new Finding(
                task.pointer() + "/each",
                "%s would have more than %,d steps".formatted(task.name(), RunSpec.MOST_STEPS)));
        return;
      }
      List<Map<String, String>> next = new ArrayList<>();
      for (Map<String, String> before : all) {
        for (String value : list) {
          Map<String, String> each = new LinkedHashMap<>(before);
          each.put(entry.getKey(), value);
          next.add(each);
        }
      }
      all = next;
    }
    for (int i = 0; i < all.size(); i++) {
      String name = task.name() + "-" + (i + 1);
      if (!names.add(name)) {
        findings.add(
            new Finding(task.pointer() + "/name", "there would be two steps of the name " + name));
      }
      into.add(step(task, name, all.get(i), values.withEach(all.get(i)), variables));
    }
  }

  private List<String> list(TaskDocument task, String name, Values written, LookupValues values) {
    TextTemplate template = written.text();
    if (template == null) {
      return written.list();
    }
    String text = values.text(template).strip();
    List<String> list = new ArrayList<>();
    if (text.startsWith("[")) {
      try {
        Json.parse(text).forEach(item -> list.add(text(item)));
      } catch (ProblemException e) {
        findings.add(
            new Finding(
                task.pointer() + "/each/" + name, "this is no list: " + e.problem().detail()));
      }
    } else if (!text.isEmpty()) {
      for (String part : text.split(",", -1)) {
        list.add(part.strip());
      }
    }
    if (list.isEmpty()) {
      findings.add(
          new Finding(
              task.pointer() + "/each/" + name, "there is a value at least, and here is none"));
    }
    return list;
  }

  private StepSpec step(
      TaskDocument task,
      String name,
      Map<String, String> each,
      LookupValues values,
      Map<String, ValueText> variables) {
    Map<String, ValueText> environment = new LinkedHashMap<>();
    if (task.action() instanceof OfTemplate of) {
      of.template()
          .environment()
          .forEach((variable, text) -> environment.put(variable, ValueText.of(text)));
    }
    environment.putAll(variables);
    task.environment()
        .forEach((variable, text) -> environment.put(variable, frozen(text, values, variables)));
    When when = task.when();
    StepContainer container = task.container();
    return new StepSpec(
        name,
        task.name(),
        each,
        work(task, values),
        task.code(),
        git(task),
        task.platform(),
        container == null
            ? task.place().settings()
            : container.of(start.pipeline().owner()).settings(),
        task.gpus(),
        task.after(),
        task.inputs(),
        environment,
        context(task, name),
        task.outputs(),
        task.retry(),
        task.timeout(),
        when == null ? null : condition(when, values),
        task.cache());
  }

  private static @Nullable GitCode git(TaskDocument task) {
    CodeRepository repository = task.repository();
    return repository == null ? null : new GitCode(repository, null);
  }

  /**
   * The value of a variable. One that is a variable of the pipeline alone is a reference to a
   * secret where that is one; a parameter never is.
   */
  private static ValueText frozen(
      TextTemplate text, LookupValues values, Map<String, ValueText> variables) {
    if (text.parts().size() == 1
        && text.parts().getFirst() instanceof TextTemplate.Variable(String name)) {
      return variables.getOrDefault(name, values.freeze(text));
    }
    return values.freeze(text);
  }

  private StepWork work(TaskDocument task, LookupValues values) {
    return switch (task.action()) {
      case DoneByServer(StepWork.OfServer work) -> work;
      case AskPeople(TextTemplate message, List<String> by) ->
          new StepWork.Approval(values.freeze(message), by);
      case Shell(TextTemplate text) -> new StepCommand(List.of(values.freeze(text)), true);
      case Words(List<TextTemplate> words) ->
          new StepCommand(words.stream().map(values::freeze).toList(), false);
      case OfTemplate of ->
          new StepCommand(
              ArgumentWords.frozen(of, values, task.pointer() + "/arguments", findings::add),
              false);
    };
  }

  private static Condition condition(When when, LookupValues values) {
    TextTemplate right = when.right();
    return new Condition(
        values.freeze(when.left()), when.operator(), right == null ? null : values.freeze(right));
  }

  /** The variables of the original that say where a task runs. */
  private Map<String, String> context(TaskDocument task, String step) {
    Pipeline pipeline = start.pipeline();
    Map<String, String> context = new LinkedHashMap<>();
    context.put("KFJ_PIPELINE_ID", pipeline.name().value());
    context.put("KFJ_PIPELINE_NAME", pipeline.name().value());
    context.put("KFJ_RUN_ID", kfjRunId());
    context.put("KFJ_CREATOR", pipeline.owner());
    context.put("KFJ_RUNNER", start.runner());
    context.put("KFJ_ARCHIVE_BASE_PATH", "/archives");
    context.put("KFJ_NAMESPACE", "pipeline");
    StepContainer container = task.container();
    context.put("KFJ_ENVIRONMENT", container == null ? task.platform() : container.cluster());
    context.put("KFJ_TASK_ID", step);
    context.put("KFJ_TASK_NAME", task.name());
    NodePlacement nodes = container == null ? null : container.nodes();
    context.put("KFJ_TASK_NODE_SELECTOR", nodes == null ? "" : nodes.text());
    context.put("KFJ_TASK_VOLUME_MOUNT", container == null ? "" : container.mounts());
    context.put("KFJ_TASK_IMAGES", container == null ? "" : container.image());
    context.put("KFJ_TASK_RESOURCE_CPU", task.resources().getOrDefault("cpu", ""));
    context.put("KFJ_TASK_RESOURCE_MEMORY", task.resources().getOrDefault("memory", ""));
    context.put("KFJ_TASK_RESOURCE_GPU", task.resources().getOrDefault("gpu", "0"));
    context.put("KFJ_TASK_PROJECT_NAME", pipeline.project().value());
    context.put("USERNAME", pipeline.owner());
    context.put("IMAGE_PULL_POLICY", "Always");
    context.put("HUBSECRET", "");
    Integer gpus = task.gpus();
    if (gpus == null || gpus == 0) {
      context.put("NVIDIA_VISIBLE_DEVICES", "none");
    }
    return context;
  }

  /**
   * The id of the run in the form that programs of the original expect: 32 hexadecimal digits. It
   * is derived from our id, which tasks have as {@code ORRERY_RUN}, so that it stays the same in
   * every task and after a retry.
   */
  private String kfjRunId() {
    byte[] id = start.run().value().getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(id).toString().replace("-", "");
  }
}
