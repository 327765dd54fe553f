package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.RetryPolicy.Cause;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepWork;
import io.orrery.core.time.DurationText;
import io.orrery.studio.document.AmountText;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.document.VariableReader;
import io.orrery.studio.pipeline.TaskDocument.Action;
import io.orrery.studio.pipeline.TaskDocument.DoneByServer;
import io.orrery.studio.pipeline.TaskDocument.Values;
import io.orrery.studio.pipeline.TaskDocument.When;
import io.orrery.studio.pipeline.TextTemplate.TaskOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one task, with everything that is wrong in it. */
final class TaskReader {
  static final List<String> KEYS =
      List.of(
          "name",
          "title",
          "template",
          "arguments",
          "command",
          "image",
          "cluster",
          "volume_mount",
          "distributed",
          "code",
          "trainingService",
          "inputs",
          "after",
          "resources",
          "retry",
          "timeout",
          "when",
          "each",
          "env",
          "cache",
          "outputs",
          "experiment",
          "model",
          "service",
          "approval");

  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int MOST_TEXT = 30_000;
  private static final int MOST_EACH = 1_000;
  private static final int MOST_INPUTS = 1_000;
  private static final Pattern BUNDLE = Pattern.compile("sha256:([0-9a-f]{64})");
  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}");
  static final Pattern OUTPUT_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

  private final String name;
  private final DocumentKeys keys;
  private final LookupScope scope;
  private final PipelineSurroundings with;

  private TaskReader(String name, DocumentKeys keys, LookupScope scope, PipelineSurroundings with) {
    this.name = name;
    this.keys = keys;
    this.scope = scope;
    this.with = with;
  }

  /**
   * Reads a task.
   *
   * @param scope of the pipeline, without the values of the task
   */
  static TaskDocument read(
      String name, DocumentKeys keys, LookupScope scope, PipelineSurroundings with) {
    Map<String, Values> each = new TaskReader(name, keys, scope, with).each();
    return new TaskReader(name, keys, scope.withEach(each.keySet()), with).task(each);
  }

  private TaskDocument task(Map<String, Values> each) {
    keys.text("title", 500);
    Optional<String> kind = ServerTaskReader.kind(keys);
    Action action = new ActionReader(keys, scope, with).read();
    ObjectNode resources = keys.object("resources");
    Map<String, String> amounts = new LinkedHashMap<>();
    Integer gpus = resources == null ? null : amounts(resources, amounts);
    ContainerReader containers = new ContainerReader(keys, with);
    StepContainer container = kind.isPresent() ? null : containers.read(action, amounts);
    TaskPlace place =
        kind.map(ServerTaskReader::platform)
            .map(TaskPlace::of)
            .orElseGet(() ->
                container == null ? containers.place(action) : TaskPlace.of(containers.platform()));
    List<OutputSpec> outputs = kind.map(ServerTaskReader::outputs).orElseGet(() -> outputs(keys));
    TaskPlace.checkOutputs(keys, place, outputs);
    return new TaskDocument(
        name,
        keys.pointer(),
        action,
        container,
        code(),
        repository(),
        place,
        gpus,
        amounts,
        after(),
        kind.isPresent() ? inputs(action) : inputs(),
        environment(),
        outputs,
        retry(),
        duration(keys, "timeout"),
        when(),
        each,
        cache());
  }

  private @Nullable CodeRepository repository() {
    if (!(keys.value("code") instanceof ObjectNode object)) {
      return null;
    }
    CodeRepository.Reading reading = CodeRepository.read(object, keys.pointer("code"));
    reading.findings().forEach(keys.findings());
    return reading.source();
  }

  private @Nullable String code() {
    if (keys.value("code") instanceof ObjectNode) {
      return null;
    }
    String text = keys.text("code", 4_096);
    if (text == null) {
      return null;
    }
    Matcher bundle = BUNDLE.matcher(text);
    if (!bundle.matches()) {
      keys.wrong(
          "code",
          "code is a directory beside the file, which `orrery apply` and `orrery pipeline run`"
              + " upload, or a Git repository such as {git: https://example.com/a.git, ref: main};"
              + " here it is sha256:… of an uploaded bundle");
      return null;
    }
    return bundle.group(1);
  }

  private @Nullable Integer amounts(ObjectNode resources, Map<String, String> amounts) {
    DocumentKeys inner = keys.inner(resources, "resources", List.of("cpu", "memory", "gpu"));
    String cpu = inner.text("cpu", 100);
    if (cpu != null && AmountText.cpu(cpu).isEmpty()) {
      inner.wrong("cpu", "cpu is cores such as 0.5~2, not '" + cpu + "'");
    }
    String memory = inner.text("memory", 100);
    if (memory != null && AmountText.memory(memory).isEmpty()) {
      inner.wrong("memory", "memory is such as 512M~2G, not '" + memory + "'");
    }
    String gpu = inner.text("gpu", 100);
    Integer gpus = gpu == null ? null : AmountText.gpus(gpu).orElse(null);
    if (gpu != null && gpus == null) {
      inner.wrong("gpu", "gpu is a number of GPUs such as 1, not '" + gpu + "'");
    }
    put(amounts, "cpu", cpu);
    put(amounts, "memory", memory);
    put(amounts, "gpu", gpu);
    return gpus;
  }

  private static void put(Map<String, String> amounts, String name, @Nullable String text) {
    if (text != null) {
      amounts.put(name, text);
    }
  }

  private List<String> after() {
    List<String> names = new ArrayList<>();
    keys.list("after", MOST_INPUTS).forEach(name -> names.add(name.asText()));
    return names;
  }

  /** The files that work of the server is given. */
  private static Map<String, OutputRef> inputs(Action action) {
    return action instanceof DoneByServer(StepWork.Registration registration)
            && registration.from() != null
        ? Map.of(StepWork.Registration.INPUT, registration.from())
        : Map.of();
  }

  private Map<String, OutputRef> inputs() {
    Map<String, OutputRef> inputs = new LinkedHashMap<>();
    ObjectNode object = keys.object("inputs");
    if (object == null) {
      return inputs;
    }
    DocumentKeys inner = open(object, "inputs");
    object
        .properties()
        .forEach(entry -> {
          String input = entry.getKey();
          String text = inner.text(input, MOST_TEXT);
          if (!FILE_NAME.matcher(input).matches()) {
            inner.wrong(input, "the name of an input is that of a file: letters, digits and _.-");
          } else if (text != null) {
            TextTemplate read = lookups(inner, input, text);
            if (read.parts().size() == 1
                && read.parts().getFirst() instanceof TaskOutput(OutputRef ref)) {
              inputs.put(input, ref);
            } else {
              inner.wrong(input, "an input is one output: {{tasks.NAME.outputs.NAME}}");
            }
          }
        });
    return inputs;
  }

  private TextTemplate lookups(DocumentKeys inner, String key, String text) {
    return LookupReader.read(text, scope, message -> inner.wrong(key, message));
  }

  private DocumentKeys open(ObjectNode object, String key) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return keys.inner(object, key, names);
  }

  private Map<String, TextTemplate> environment() {
    Map<String, TextTemplate> environment = new LinkedHashMap<>();
    VariableReader.read(keys, "env", DocumentNames::isServers)
        .forEach((variable, text) ->
            environment.put(variable, new ValueReader(keys, scope).read("env", text)));
    return environment;
  }

  private @Nullable When when() {
    String text = keys.text("when", MOST_TEXT);
    return text == null
        ? null
        : ConditionReader.read(text, scope, message -> keys.wrong("when", message));
  }

  private Map<String, Values> each() {
    Map<String, Values> each = new LinkedHashMap<>();
    ObjectNode object = keys.object("each");
    if (object == null) {
      return each;
    }
    DocumentKeys inner = open(object, "each");
    if (object.isEmpty()) {
      keys.wrong("each", "each is a name with a list of values, such as {seed: [1, 2, 3]}");
    }
    object
        .properties()
        .forEach(entry -> {
          String key = entry.getKey();
          JsonNode value = entry.getValue();
          if (!OUTPUT_NAME.matcher(key).matches()) {
            inner.wrong(key, "the name of a value has letters, digits and _");
          } else if (value.isTextual()) {
            each.put(
                key,
                new Values(
                    List.of(),
                    LookupReader.read(
                        value.textValue(),
                        scope.withoutOutputs(),
                        message -> inner.wrong(key, message))));
          } else {
            List<String> texts =
                inner.list(key, MOST_EACH).stream()
                    .map(item -> item.isValueNode() ? item.asText() : Json.write(item))
                    .toList();
            if (texts.isEmpty()) {
              inner.wrong(key, "there is a value at least, such as [1, 2, 3]");
            }
            each.put(key, new Values(texts, null));
          }
        });
    return each;
  }

  private RetryPolicy retry() {
    ObjectNode object = keys.object("retry");
    if (object == null) {
      return RetryPolicy.NONE;
    }
    DocumentKeys inner = keys.inner(object, "retry", List.of("attempts", "backoff", "on"));
    Integer attempts = inner.integer("attempts", 1, 100);
    Set<Cause> on = EnumSet.noneOf(Cause.class);
    for (JsonNode cause : inner.list("on", 2)) {
      switch (cause.asText()) {
        case "failed" -> on.add(Cause.FAILED);
        case "lost" -> on.add(Cause.LOST);
        default -> inner.wrong("on", "on has failed and lost, not '" + cause.asText() + "'");
      }
    }
    Duration backoff = duration(inner, "backoff");
    return new RetryPolicy(
        attempts == null ? 1 : attempts,
        backoff == null ? RetryPolicy.NONE.backoff() : backoff,
        on.isEmpty() ? RetryPolicy.NONE.on() : on);
  }

  private @Nullable Duration cache() {
    ObjectNode object = keys.object("cache");
    if (object == null) {
      return null;
    }
    DocumentKeys inner = keys.inner(object, "cache", List.of("for"));
    if (inner.value("for") == null) {
      inner.wrong("for", "say for how long outputs may be taken: {for: 7d}");
    }
    return duration(inner, "for");
  }

  private static @Nullable Duration duration(DocumentKeys keys, String key) {
    String text = keys.text(key, 20);
    if (text == null) {
      return null;
    }
    Duration duration = DurationText.parse(text).orElse(Duration.ZERO);
    if (duration.isZero() || duration.compareTo(LONGEST) > 0) {
      keys.wrong(key, key + " is a duration such as 30s, 10m, 2h or 7d, at most 365d");
      return null;
    }
    return duration;
  }

  /** The outputs that a task declares. */
  static List<OutputSpec> outputs(DocumentKeys keys) {
    List<OutputSpec> outputs = new ArrayList<>();
    ObjectNode object = keys.object("outputs");
    if (object == null) {
      return outputs;
    }
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    DocumentKeys inner = keys.inner(object, "outputs", names);
    for (String name : names) {
      ObjectNode output = inner.object(name);
      if (!OUTPUT_NAME.matcher(name).matches()) {
        inner.wrong(name, "the name of an output has letters, digits, _ and -, a letter first");
      } else if (output != null) {
        OutputSpec spec = output(name, inner.inner(output, name, List.of("path", "value")));
        if (spec != null) {
          outputs.add(spec);
        }
      }
    }
    return outputs;
  }

  private static @Nullable OutputSpec output(String name, DocumentKeys keys) {
    String path = keys.text("path", 1_000);
    String value = keys.text("value", 100);
    if ((path == null) == (value == null)) {
      keys.findings()
          .accept(
              new Finding(
                  keys.pointer(),
                  "an output is {path: …} below $ORRERY_OUTPUTS, or {value: …}: one of both"));
      return null;
    }
    if (value != null) {
      if (!FILE_NAME.matcher(value).matches()) {
        keys.wrong("value", "the name of a value has letters, digits and _.-");
      }
      return new OutputSpec(name, true, value);
    }
    String plain = Objects.requireNonNull(path).replaceAll("/+$", "");
    boolean inside =
        !plain.isEmpty()
            && !plain.startsWith("/")
            && List.of(plain.split("/")).stream()
                .noneMatch(part -> part.isEmpty() || part.equals("..") || part.equals("."));
    if (!inside) {
      keys.wrong("path", "a path lies below $ORRERY_OUTPUTS, such as data/ or model/best.bin");
    }
    return new OutputSpec(name, false, plain);
  }
}
