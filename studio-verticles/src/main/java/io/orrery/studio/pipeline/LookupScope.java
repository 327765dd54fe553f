package io.orrery.studio.pipeline;

import io.orrery.core.run.OutputSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that lookups may have at a place of a document.
 *
 * @param parameters of the pipeline
 * @param variables of the pipeline; empty inside them
 * @param outputs of tasks by the task's name; empty where outputs are not known yet
 * @param each the names of the task's values
 */
record LookupScope(
    Set<String> parameters,
    Set<String> variables,
    Map<String, List<OutputSpec>> outputs,
    Set<String> each) {
  LookupScope {
    parameters = Set.copyOf(parameters);
    variables = Set.copyOf(variables);
    outputs = Map.copyOf(outputs);
    each = Set.copyOf(each);
  }

  LookupScope withEach(Set<String> names) {
    return new LookupScope(parameters, variables, outputs, names);
  }

  LookupScope withoutOutputs() {
    return new LookupScope(parameters, variables, Map.of(), each);
  }
}
