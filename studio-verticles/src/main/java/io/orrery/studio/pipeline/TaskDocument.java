package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.run.Condition.Operator;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepWork;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task of a pipeline.
 *
 * @param pointer to it in the document
 * @param container null for a program of the machine itself
 * @param code digest of the uploaded code; null for none
 * @param repository where its code is fetched from for each run; null for none
 * @param place where its program runs
 * @param resources by the words cpu, memory and gpu as they are written
 * @param cache null when outputs are never taken from earlier runs
 */
record TaskDocument(
    String name,
    String pointer,
    Action action,
    @Nullable StepContainer container,
    @Nullable String code,
    @Nullable CodeRepository repository,
    TaskPlace place,
    @Nullable Integer gpus,
    Map<String, String> resources,
    List<String> after,
    Map<String, OutputRef> inputs,
    Map<String, TextTemplate> environment,
    List<OutputSpec> outputs,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable When when,
    Map<String, Values> each,
    @Nullable Duration cache) {
  TaskDocument {
    resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    after = List.copyOf(after);
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    outputs = List.copyOf(outputs);
    each = Collections.unmodifiableMap(new LinkedHashMap<>(each));
  }

  /** The training service. */
  String platform() {
    return place.platform();
  }

  /** The work of a task. */
  sealed interface Action {}

  /**
   * A question to people.
   *
   * @param by who may answer; empty for users who may operate the run
   */
  record AskPeople(TextTemplate message, List<String> by) implements Action {
    AskPeople {
      by = List.copyOf(by);
    }
  }

  /** An action of the server, without lookups of the run's parameters. */
  record DoneByServer(StepWork.OfServer work) implements Action {}

  /** A text for the shell. */
  record Shell(TextTemplate text) implements Action {}

  record Words(List<TextTemplate> words) implements Action {
    public Words {
      words = List.copyOf(words);
    }
  }

  /**
   * A template with arguments.
   *
   * @param arguments as they are written
   * @param lookups the texts of arguments that have lookups, by the argument's name; those inside
   *     of objects and lists are in {@code arguments} alone
   */
  record OfTemplate(
      TemplateDocument template, ObjectNode arguments, Map<String, TextTemplate> lookups)
      implements Action {
    public OfTemplate {
      lookups = Map.copyOf(lookups);
    }
  }

  /**
   * A condition.
   *
   * @param right null for one value
   */
  record When(TextTemplate left, Operator operator, @Nullable TextTemplate right) {}

  /** The values of a task with a step for each: a list, or a text that becomes one. */
  record Values(List<String> list, @Nullable TextTemplate text) {
    Values {
      list = List.copyOf(list);
    }
  }

  /** The tasks whose outputs it uses. */
  Set<OutputRef> uses() {
    Set<OutputRef> uses = new LinkedHashSet<>(inputs.values());
    environment.values().forEach(value -> uses.addAll(value.outputs()));
    if (when != null) {
      uses.addAll(when.left().outputs());
      TextTemplate right = when.right();
      if (right != null) {
        uses.addAll(right.outputs());
      }
    }
    switch (action) {
      case DoneByServer(StepWork.OfServer work) -> uses.addAll(work.uses());
      case AskPeople asked -> uses.addAll(asked.message().outputs());
      case Shell(TextTemplate text) -> uses.addAll(text.outputs());
      case Words(List<TextTemplate> words) -> words.forEach(word -> uses.addAll(word.outputs()));
      case OfTemplate template ->
          template.lookups().values().forEach(text -> uses.addAll(text.outputs()));
    }
    return uses;
  }
}
