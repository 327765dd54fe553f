package io.orrery.benchmarks.search.curve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A report of the players on problems with learning curves, beside the peers. */
public final class CurveReport implements PrintedReport {
  /**
   * The outcome of one play.
   *
   * @param figures by name; empty when it failed
   * @param error why it failed, else null
   */
  private record Play(
      String tuner,
      String problem,
      long seed,
      @Nullable String error,
      Map<String, Double> figures) {}

  private final CurveMode mode;
  private final List<String> names;
  private final List<SearchProblem> problems;
  private final List<Play> plays;
  private final JsonNode peers;

  private CurveReport(
      CurveMode mode,
      List<String> names,
      List<SearchProblem> problems,
      List<Play> plays,
      JsonNode peers) {
    this.mode = mode;
    this.names = names;
    this.problems = problems;
    this.plays = plays;
    this.peers = peers;
  }

  /**
   * Plays everything.
   *
   * @param names the players; all when empty
   * @param all problems, of which those with curves are played
   * @param folder where {@code peers.json} may be
   * @throws IllegalArgumentException when there is no player of a name, or no problem with curves
   */
  public static CurveReport of(
      CurveMode mode,
      List<String> names,
      List<SearchProblem> all,
      int seeds,
      int threads,
      Path folder)
      throws IOException, InterruptedException {
    List<String> playing = names.isEmpty() ? mode.players() : names;
    List<SearchProblem> problems = all.stream().filter(problem -> problem.epochs() > 1).toList();
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("none of the problems has learning curves");
    }
    Path file = folder.resolve("peers.json");
    JsonNode peers =
        Files.exists(file)
            ? Json.parse(Files.readString(file)).path(mode.peers())
            : MissingNode.getInstance();
    List<Play> plays = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Play>> pending = new ArrayList<>();
      for (String name : playing) {
        for (SearchProblem problem : problems) {
          for (int seed = 0; seed < seeds; seed++) {
            long own = seed;
            pending.add(pool.submit(() -> play(mode, name, problem, own)));
          }
        }
      }
      for (Future<Play> play : pending) {
        plays.add(play.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IllegalArgumentException wrong
          ? wrong
          : new IllegalStateException(e.getCause());
    }
    return new CurveReport(mode, playing, problems, plays, peers);
  }

  private static Play play(CurveMode mode, String name, SearchProblem problem, long seed) {
    try {
      return new Play(name, problem.name(), seed, null, mode.play(name, problem, seed));
    } catch (IllegalArgumentException wrongName) {
      throw wrongName;
    } catch (RuntimeException failure) {
      return new Play(name, problem.name(), seed, failure.toString(), Map.of());
    }
  }

  /** The keys of one JSON line for each play. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    List<Map<String, @Nullable Object>> lines = new ArrayList<>();
    for (Play play : plays) {
      Map<String, @Nullable Object> line = new LinkedHashMap<>();
      line.put("tuner", play.tuner());
      line.put("problem", play.problem());
      line.put("seed", play.seed());
      line.put("mode", mode.name());
      line.put("error", play.error());
      line.putAll(mode.line(play.figures()));
      lines.add(line);
    }
    return lines;
  }

  /** One table for each problem's figures and their mean, ours with a star. */
  @Override
  public String text() {
    List<String> head = new ArrayList<>(List.of(""));
    for (SearchProblem problem : problems) {
      mode.figures().keySet().forEach(figure -> head.add(problem.name() + " " + figure));
    }
    mode.figures().keySet().forEach(figure -> head.add("mean " + figure));
    ResultTable table = new ResultTable(head.toArray(String[]::new));
    names.forEach(name -> table.row(ours(name)));
    peers.properties().forEach(peer -> table.row(theirs(peer.getKey(), peer.getValue())));
    StringBuilder text = new StringBuilder("\n").append(table);
    plays.stream()
        .filter(play -> play.error() != null)
        .map(play -> play.tuner() + " failed on " + play.problem() + ": " + play.error() + "\n")
        .distinct()
        .forEach(text::append);
    return text.toString();
  }

  private String[] ours(String name) {
    List<String> cells = new ArrayList<>(List.of("* " + name));
    for (SearchProblem problem : problems) {
      mode.figures().keySet().forEach(figure -> cells.add(mean(name, problem.name(), figure)));
    }
    mode.figures().keySet().forEach(figure -> cells.add(mean(name, null, figure)));
    return cells.toArray(String[]::new);
  }

  private String mean(String name, @Nullable String problem, String figure) {
    double mean =
        plays.stream()
            .filter(play -> play.tuner().equals(name))
            .filter(play -> problem == null || play.problem().equals(problem))
            .mapToDouble(play -> play.figures().getOrDefault(figure, Double.NaN))
            .average()
            .orElse(Double.NaN);
    return format(mean);
  }

  private String[] theirs(String name, JsonNode figures) {
    JsonNode byProblem = figures.has("per_problem") ? figures.path("per_problem") : figures;
    List<String> cells = new ArrayList<>(List.of(name));
    for (SearchProblem problem : problems) {
      mode.figures()
          .values()
          .forEach(key -> cells.add(format(byProblem.path(problem.name()).path(key))));
    }
    JsonNode mean = figures.has("mean") ? figures.path("mean") : figures;
    mode.figures().values().forEach(key -> cells.add(format(mean.path(key))));
    return cells.toArray(String[]::new);
  }

  private static String format(JsonNode number) {
    return format(number.asDouble(Double.NaN));
  }

  private static String format(double number) {
    return Double.isNaN(number) ? "" : String.format(Locale.ROOT, "%.3f", number);
  }
}
