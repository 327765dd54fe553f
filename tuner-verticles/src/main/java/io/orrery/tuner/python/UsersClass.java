package io.orrery.tuner.python;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.SearchSpace;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A class of the user's own, and how it is brought to life.
 *
 * @param role what it is to be: {@code tuner}, {@code assessor} or {@code advisor}
 * @param spec with a className
 */
public record UsersClass(String role, AlgorithmSpec spec) {
  private static final Pattern DOTTED =
      Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*(\\.[\\p{L}_][\\p{L}\\p{N}_]*)+");

  /**
   * What can be told without running it; what it does with its arguments and its space it alone
   * knows.
   *
   * @param section of the experiment's document that it stands in
   */
  public static List<Finding> check(AlgorithmSpec spec, String section) {
    return check(spec.className(), "/" + section);
  }

  /**
   * What is wrong with the name of a class.
   *
   * @param pointer of the object that it is a member of
   */
  public static List<Finding> check(@Nullable String name, String pointer) {
    return name != null && DOTTED.matcher(name).matches()
        ? List.of()
        : List.of(
            new Finding(
                pointer + "/className",
                "must be module.Class, such as my_tuner.MyTuner, this is '" + name + "'"));
  }

  /**
   * Starts a process and makes the object.
   *
   * @param resumed whether there was one before it
   * @throws ProblemException when it cannot be made
   */
  public PythonAlgorithm open(
      Interpreter interpreter, ExperimentId experiment, SearchSpace space, boolean resumed)
      throws InterruptedException {
    String file = role.equals("assessor") ? role : "tuner";
    PythonAlgorithm process =
        new PythonAlgorithm(
            interpreter.start("orrery_algorithms", file, experiment, resumed, List.of(), Map.of()));
    ObjectNode question =
        Json.MAPPER
            .createObjectNode()
            .put("do", "open")
            .put("kind", role)
            .put("class_name", spec.className())
            .put("code_directory", spec.codeDirectory())
            .put("multi_thread", spec.multiThread())
            .put("resumed", resumed);
    question.set("class_args", Json.MAPPER.valueToTree(spec.classArgs().values()));
    question.set("space", space.toNniJson());
    try {
      process.ask(question);
      return process;
    } catch (ProblemException | InterruptedException e) {
      process.close();
      throw e;
    }
  }
}
