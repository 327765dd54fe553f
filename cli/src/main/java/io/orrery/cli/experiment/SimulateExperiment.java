package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery experiment simulate FILE}. */
@Command(
    name = "simulate",
    description = {
      "Rehearse an experiment of the platform `simulated`: how long it would take, how many trials"
          + " it would have, what the best would be. Nothing of it takes place."
    })
final class SimulateExperiment implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The experiment's configuration, YAML or JSON.")
  private String file = "";

  @Option(
      names = "--runs",
      converter = Count.class,
      paramLabel = "N",
      defaultValue = "10",
      description = "How often it is played, each time with other chance: 1 to 100, default 10.")
  private int runs;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project whose settings and environments count. Default: public.")
  private @Nullable String project;

  SimulateExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ConfigFile config = ConfigFile.experiment(file, session.terminal());
    JsonNode rehearsed =
        config.post(
            session.api(),
            Resource.of("rehearsals")
                .with("base", config.folder())
                .with("runs", runs)
                .with("project", project),
            session.terminal());
    if (session.json()) {
      session.print(rehearsed);
    } else {
      print(rehearsed);
    }
    return 0;
  }

  private void print(JsonNode rehearsed) {
    List<JsonNode> played = rehearsed.path("runs").valueStream().toList();
    Table table =
        new Table(
            Column.text(played.size() + (played.size() == 1 ? " RUN" : " RUNS")),
            Column.number("LEAST"),
            Column.number("MEDIAN"),
            Column.number("MOST"));
    row(table, "time", played, at("/durationSeconds"), SimulateExperiment::time);
    row(table, "trials", played, SimulateExperiment::trials, SimulateExperiment::count);
    row(table, "  succeeded", played, at("/trialCounts/SUCCEEDED"), SimulateExperiment::count);
    row(table, "  failed", played, at("/trialCounts/FAILED"), SimulateExperiment::count);
    row(table, "attempts", played, at("/attempts"), SimulateExperiment::count);
    double slots = rehearsed.path("trialConcurrency").asDouble();
    row(table, "slots in use", played, run -> use(run, slots), SimulateExperiment::share);
    List<JsonNode> best = played.stream().filter(run -> run.at("/best/metric").isNumber()).toList();
    row(table, "best", best, at("/best/metric"), x -> String.format(Locale.ROOT, "%.6g", x));
    row(table, "  found after", best, at("/best/afterSeconds"), SimulateExperiment::time);
    table.print(session.terminal());
  }

  private static ToDoubleFunction<JsonNode> at(String pointer) {
    return run -> run.at(pointer).asDouble(0);
  }

  private static double trials(JsonNode run) {
    return run.path("trialCounts").valueStream().mapToDouble(JsonNode::asDouble).sum();
  }

  private static double use(JsonNode run, double slots) {
    double offered = run.path("durationSeconds").asDouble() * slots;
    return offered == 0 ? 0 : run.path("trialSeconds").asDouble() / offered;
  }

  private static String time(double seconds) {
    return Words.duration(Duration.ofMillis(Math.round(seconds * 1e3)));
  }

  private static String count(double number) {
    return String.format(Locale.ROOT, "%.0f", number);
  }

  private static String share(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  private static void row(
      Table table,
      String name,
      List<JsonNode> runs,
      ToDoubleFunction<JsonNode> figure,
      DoubleFunction<String> words) {
    double[] figures = runs.stream().mapToDouble(figure).sorted().toArray();
    if (Arrays.stream(figures).allMatch(x -> x == 0)) {
      return;
    }
    table.row(
        name,
        words.apply(figures[0]),
        words.apply(figures[figures.length / 2]),
        words.apply(figures[figures.length - 1]));
  }
}
