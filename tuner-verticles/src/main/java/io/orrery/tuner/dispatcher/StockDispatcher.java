package io.orrery.tuner.dispatcher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.tuner.python.Child;
import io.orrery.tuner.python.Interpreter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dispatcher of the NNI that is installed where Python looks, started as NNI's manager starts
 * it.
 */
public final class StockDispatcher {
  private static final String PACKAGE = "nni";

  /**
   * Those that take the place of tuner and assessor: before NNI 2.10 a section of their own in its
   * parameters, since then a tuner like any other.
   */
  private static final Set<String> ADVISORS = Set.of("hyperband", "bohb");

  /** Those of its tuners that do not care for the direction, and may not take one. */
  private static final Set<String> WITHOUT_DIRECTION =
      Set.of("batch", "batchtuner", "gridsearch", "random");

  private final Interpreter python;

  public StockDispatcher(Interpreter python) {
    this.python = python;
  }

  /** Takes a dispatcher in that is about to connect. */
  @FunctionalInterface
  public interface Reception {
    /** A line that a dispatcher will connect to. */
    Expected expect(Command.Spelling spelling);
  }

  /**
   * A line that is not connected yet.
   *
   * @param url where the dispatcher is to connect
   */
  public record Expected(SocketLine line, String url) {}

  /** Whether NNI is there. Blocks while Python starts. */
  public boolean isInstalled() throws InterruptedException {
    return python.version(PACKAGE).isPresent();
  }

  /** What stands in the way of it; nothing when NNI is there. Blocks while Python starts. */
  public List<Finding> check(AlgorithmSpec spec) throws InterruptedException {
    return isInstalled()
        ? List.of()
        : List.of(
            new Finding(
                "/tuner/name",
                "'"
                    + spec.name()
                    + "' is an algorithm of NNI itself, and the server's python3 finds no package"
                    + " nni: install it there (pip install nni), or name a tuner of this server"));
  }

  /**
   * Starts it; what it is to search, and what happened before, it is not told yet.
   *
   * @param spec one of {@link AlgorithmSpec#isStock}, or an advisor of the user's own
   * @throws io.orrery.core.problem.ProblemException Broken when it cannot be started
   */
  public DispatcherConnection open(
      AlgorithmSpec spec,
      Direction direction,
      ExperimentId experiment,
      boolean resumed,
      Reception reception)
      throws InterruptedException {
    Version version =
        python
            .version(PACKAGE)
            .map(Version::of)
            .orElseThrow(() ->
                new Problem.Broken("the server's python3 finds no package nni").toException());
    String parameters =
        Base64.getEncoder()
            .encodeToString(
                Json.write(parameters(spec, direction, version)).getBytes(StandardCharsets.UTF_8));
    if (!version.atLeast(2, 8)) {
      return new PipeLine(start(experiment, resumed, "pipes", parameters, Map.of()));
    }
    Command.Spelling spelling =
        version.atLeast(3, 0) ? Command.Spelling.OBJECT : Command.Spelling.PREFIX;
    Expected expected = reception.expect(spelling);
    Map<String, String> channel = Map.of("NNI_TUNER_COMMAND_CHANNEL", expected.url());
    Child child = start(experiment, resumed, "socket", parameters, channel);
    expected.line().liveWith(child);
    return expected.line();
  }

  private Child start(
      ExperimentId experiment,
      boolean resumed,
      String way,
      String parameters,
      Map<String, String> variables) {
    return python.start(
        "orrery_algorithms.stock",
        "tuner",
        experiment,
        resumed,
        List.of(way, parameters),
        variables);
  }

  /** What the dispatcher reads of the experiment's configuration. */
  static ObjectNode parameters(AlgorithmSpec spec, Direction direction, Version version) {
    String name = spec.bareName().toLowerCase(Locale.ROOT);
    String className = spec.className();
    boolean advisor = className != null || ADVISORS.contains(name);
    ObjectNode parameters = Json.MAPPER.createObjectNode().put("experimentType", "hpo");
    boolean apart = advisor && !version.atLeast(2, 10);
    ObjectNode section = parameters.putObject(apart ? "advisor" : "tuner");
    ObjectNode arguments = Json.MAPPER.valueToTree(spec.classArgs().values());
    if (className != null) {
      nameClass(section, className, spec.codeDirectory(), version);
    } else {
      section.put(
          version.atLeast(2, 0) ? "name" : advisor ? "builtinAdvisorName" : "builtinTunerName",
          spec.bareName());
      // Left to themselves some of NNI's minimize and some maximize.
      if (!WITHOUT_DIRECTION.contains(name) && !arguments.has("optimize_mode")) {
        arguments.put("optimize_mode", direction.text());
      }
    }
    if (!arguments.isEmpty()) {
      section.set("classArgs", arguments);
    }
    return parameters;
  }

  /** Before NNI 2 a class is named by file and class. */
  private static void nameClass(
      ObjectNode section, String className, @Nullable String directory, Version version) {
    if (version.atLeast(2, 0)) {
      section.put("className", className).put("codeDirectory", directory);
    } else {
      int dot = className.lastIndexOf('.');
      section
          .put("codeDir", directory)
          .put("classFileName", className.substring(0, dot).replace('.', '/') + ".py")
          .put("className", className.substring(dot + 1));
    }
  }
}
