package io.orrery.studio.pipeline;

import io.orrery.core.run.RunId;
import io.orrery.core.run.ValueText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The values of lookups when a run is frozen.
 *
 * @param parameters as texts
 * @param variables of the pipeline
 * @param each the values of the step
 * @param due the instant of the schedule, or the start of a run by hand
 */
record LookupValues(
    Map<String, String> parameters,
    Map<String, String> variables,
    Map<String, String> each,
    RunId run,
    Instant due,
    String creator,
    String runner,
    String pipeline) {
  LookupValues {
    parameters = Map.copyOf(parameters);
    variables = Map.copyOf(variables);
    each = Map.copyOf(each);
  }

  LookupValues withVariables(Map<String, String> all) {
    return new LookupValues(parameters, all, each, run, due, creator, runner, pipeline);
  }

  LookupValues withEach(Map<String, String> values) {
    return new LookupValues(parameters, variables, values, run, due, creator, runner, pipeline);
  }

  /** A text with its values; outputs of tasks stay references. */
  ValueText freeze(TextTemplate template) {
    List<ValueText.Piece> pieces = new ArrayList<>();
    for (TextTemplate.Part part : template.parts()) {
      pieces.add(
          switch (part) {
            case TextTemplate.Plain(String text) -> new ValueText.Written(text);
            case TextTemplate.TaskOutput(var ref) -> new ValueText.Output(ref);
            case TextTemplate.Parameter(String name) -> given(parameters, name);
            case TextTemplate.Variable(String name) -> given(variables, name);
            case TextTemplate.Each(String name) -> given(each, name);
            case TextTemplate.Fact(TextTemplate.Fact.Name name) -> new ValueText.Given(fact(name));
            case TextTemplate.Date date ->
                new ValueText.Given(
                    date.format().format(due.plus(date.offset()).atZone(date.zone())));
          });
    }
    return new ValueText(pieces);
  }

  private static ValueText.Piece given(Map<String, String> values, String name) {
    return new ValueText.Given(Objects.requireNonNullElse(values.get(name), ""));
  }

  private String fact(TextTemplate.Fact.Name name) {
    return switch (name) {
      case RUN_ID -> run.value();
      case RUN_DUE -> due.toString();
      case CREATOR -> creator;
      case RUNNER -> runner;
      case PIPELINE -> pipeline;
    };
  }

  /** A text without outputs of tasks. */
  String text(TextTemplate template) {
    return freeze(template).shown();
  }
}
