package io.orrery.orchestrator.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.command.TrialCommand;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.ShellText;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A step with all its values.
 *
 * @param command for the shell
 * @param environment the variables of the documents, and those that the command refers to
 * @param secrets the variables whose value the document itself writes as a reference to a secret
 * @param inputs the outputs below each name; a list where a task had a step for each value
 * @param key equal for steps that do the same with the same; empty where the step has no cache
 */
record ResolvedStep(
    String command,
    Map<String, String> environment,
    Set<String> secrets,
    Map<String, Input> inputs,
    String key) {
  /** Linux takes no variable or argument longer than 128 KiB. */
  private static final int LONGEST = 100_000;

  /**
   * An input.
   *
   * @param list whether it is a directory with an entry for each
   */
  record Input(boolean list, List<StepOutput> outputs) {
    Input {
      outputs = List.copyOf(outputs);
    }
  }

  /** The inputs of a step whose tasks before it are over; fails as {@link #of} does. */
  static Map<String, Input> inputs(StepSpec step, RunOutputs outputs) {
    Map<String, Input> inputs = new LinkedHashMap<>();
    step.inputs()
        .forEach((name, ref) -> {
          List<StepOutput> found = outputs.of(ref);
          if (found.isEmpty()) {
            throw refused("the input " + name + " is missing: " + ref + " has no value");
          }
          inputs.put(name, new Input(outputs.isList(ref), found));
        });
    return inputs;
  }

  /**
   * Resolves a step whose tasks before it are over.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when a value is missing, or is none
   *     that a program can be given
   */
  static ResolvedStep of(RunSpec run, StepSpec step, RunOutputs outputs) {
    StepCommand line =
        switch (step.work()) {
          case StepCommand command -> command;
          case StepWork.Debugging(StepCommand command) -> command;
          case StepWork.OfServer other ->
              throw new IllegalArgumentException(step + " is no program");
          case StepWork.Approval other ->
              throw new IllegalArgumentException(step + " is no program");
        };
    Map<String, String> environment = new LinkedHashMap<>();
    Set<String> secrets = new HashSet<>();
    step.environment()
        .forEach((name, value) -> {
          environment.put(name, checked(name, outputs.text(value)));
          // What a caller or a program gave is text, whatever it looks like.
          if (value.written().flatMap(SecretReference::name).isPresent()) {
            secrets.add(name);
          }
        });
    Map<String, Input> inputs = inputs(step, outputs);
    String key = step.cache() == null ? "" : key(run, step, line, outputs, environment, inputs);
    String command;
    if (line.shell()) {
      ShellText text = ShellText.of(line.words().getFirst(), outputs::text);
      command = text.command();
      text.variables()
          .forEach((name, value) -> environment.put(name, checked("a value of command", value)));
    } else {
      List<String> words = new ArrayList<>();
      line.words()
          .forEach(word ->
              words.add(TrialCommand.quoted(checked("a word of command", outputs.text(word)))));
      command = String.join(" ", words);
    }
    return new ResolvedStep(command, environment, Set.copyOf(secrets), inputs, key);
  }

  private static String checked(String name, String text) {
    if (text.indexOf('\0') >= 0) {
      throw refused(name + " has a character 0, which no program can be given");
    }
    if (text.length() > LONGEST) {
      throw refused(
          "%s has %,d characters, and a program can be given %,d: pass it as a file"
              .formatted(name, text.length(), LONGEST));
    }
    return text;
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }

  private static String key(
      RunSpec run,
      StepSpec step,
      StepCommand line,
      RunOutputs outputs,
      Map<String, String> environment,
      Map<String, Input> inputs) {
    ObjectNode all = Json.MAPPER.createObjectNode();
    all.put("code", step.code()).put("platform", step.platform());
    if (!step.settings().values().isEmpty()) {
      all.put("settings", step.settings().canonical());
    }
    all.put("shell", line.shell());
    ArrayNode words = all.putArray("command");
    line.words().forEach(word -> words.add(outputs.text(word)));
    all.put("parameters", run.parameters().canonical());
    ObjectNode variables = all.putObject("environment");
    new TreeMap<>(environment).forEach(variables::put);
    ObjectNode each = all.putObject("each");
    new TreeMap<>(step.each()).forEach(each::put);
    ObjectNode files = all.putObject("inputs");
    new TreeMap<>(inputs)
        .forEach((name, input) -> {
          ArrayNode contents = files.putArray(name);
          input.outputs().forEach(output -> contents.add(output.content()));
        });
    ArrayNode made = all.putArray("outputs");
    for (OutputSpec output : step.outputs()) {
      made.add(output.name() + (output.value() ? "=" : ":") + output.source());
    }
    return Sha256.hex(Json.write(all));
  }
}
