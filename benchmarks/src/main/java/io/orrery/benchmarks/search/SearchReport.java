package io.orrery.benchmarks.search;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.search.Records.Entry;
import io.orrery.benchmarks.search.problem.SearchProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A report of what a benchmark found, as tables beside the peers' figures. */
public final class SearchReport implements PrintedReport {
  private static final double SIGNIFICANT = 0.05;

  private final Runs runs;
  private final List<SearchProblem> problems;
  private final List<SearchContender> contenders;
  private final List<Integer> checkpoints;
  private final String mode;
  private final Peers peers;
  private final List<String> remarks = new ArrayList<>();
  private boolean passed = true;

  SearchReport(
      Runs runs,
      List<SearchProblem> problems,
      List<SearchContender> contenders,
      Protocol protocol,
      Peers peers) {
    this.runs = runs;
    this.problems = problems;
    this.contenders = contenders;
    this.checkpoints = protocol.checkpoints();
    this.mode = protocol.name();
    this.peers = peers;
  }

  /** The keys of one JSON line for each run. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    return runs.all().stream().map(Run::line).toList();
  }

  /** Whether no tuner did significantly worse than it was recorded. */
  public boolean passed() {
    return passed;
  }

  /** Compares each tuner that has its default arguments with its own record. */
  SearchReport compared(Records records) {
    for (SearchContender contender : contenders) {
      Entry earlier = records.find(mode, contender.label());
      Entry now = entry(contender);
      String figure = "%s: mean log ratio %.3f".formatted(contender.label(), now.meanLogRatio());
      if (earlier == null || !earlier.problems().equals(now.problems())) {
        remarks.add(figure + "; nothing is recorded for these problems");
      } else {
        boolean worse = now.worseThan(earlier);
        passed &= !worse;
        remarks.add(
            "%s, recorded %.3f%s"
                .formatted(figure, earlier.meanLogRatio(), worse ? ": SIGNIFICANTLY WORSE" : ""));
      }
    }
    return this;
  }

  /** Writes the figures of the tuners that have their default arguments. */
  SearchReport recorded(Records records, Path file) throws IOException {
    Records all = records;
    for (SearchContender contender : contenders) {
      if (contender.plain()) {
        all = all.with(mode, contender.name(), entry(contender));
      }
    }
    all.write(file);
    return this;
  }

  private Entry entry(SearchContender contender) {
    return runs.entry(
        contender.label(), names(problems.stream()), last(), problem -> random(problem, last()));
  }

  private int last() {
    return checkpoints.getLast();
  }

  private static List<String> names(Stream<SearchProblem> problems) {
    return problems.map(SearchProblem::name).toList();
  }

  /** Random search's mean regret: the peers' one, ours where they have none. */
  private double random(String problem, int results) {
    double theirs = peers.mean(Peers.RANDOM, problem, results);
    return Double.isNaN(theirs) ? runs.mean(SearchContender.RANDOM, problem, results) : theirs;
  }

  /** The tables and remarks as text. */
  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    groups()
        .forEach((name, group) -> {
          if (!group.problems().isEmpty()) {
            text.append(
                "\n%s, %d problems\n\n%s".formatted(name, group.problems().size(), table(group)));
          }
        });
    for (int results : Set.of(checkpoints.getFirst(), last()).stream().sorted().toList()) {
      text.append("\nmean normalised regret after %d\n\n".formatted(results));
      text.append(byProblem(results));
    }
    text.append('\n');
    remarks().forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private record Group(List<String> problems, List<String> peers) {}

  /** The groups that the peers are compared by, and those that the spaces themselves make. */
  private Map<String, Group> groups() {
    List<String> played = names(problems.stream());
    Map<String, Group> groups = new LinkedHashMap<>();
    Map<String, List<String>> own = new LinkedHashMap<>();
    own.put("all", played);
    own.put("flat", names(problems.stream().filter(p -> !p.nested())));
    own.put("nested", names(problems.stream().filter(SearchProblem::nested)));
    own.put("real data", names(problems.stream().filter(p -> p.tags().contains("real"))));
    own.forEach((name, members) -> groups.put(name, new Group(members, peers.on(members))));
    peers
        .groups()
        .forEach((name, members) -> {
          List<String> present = members.stream().filter(played::contains).toList();
          String same =
              groups.entrySet().stream()
                  .filter(known -> known.getValue().problems().equals(present))
                  .map(Map.Entry::getKey)
                  .findFirst()
                  .orElse(name);
          groups.put(same, new Group(present, peers.of(name)));
        });
    return groups;
  }

  /** Ranks each tuner of ours among the peers without our others, and peers among themselves. */
  private ResultTable table(Group group) {
    List<String> head = new ArrayList<>(List.of(""));
    checkpoints.forEach(k -> head.add("rank@" + k));
    checkpoints.forEach(k -> head.add("ratio@" + k));
    head.add("cpu ms");
    ResultTable table = new ResultTable(head.toArray(String[]::new));
    Scores theirs = new Scores(group.problems(), this::random);
    for (String peer : group.peers()) {
      theirs = theirs.with(peer, (problem, k) -> peers.mean(peer, problem, k));
    }
    for (SearchContender contender : contenders) {
      String name = contender.label();
      Scores both = theirs.with(name, (problem, k) -> runs.mean(name, problem, k));
      double cpu = runs.cpuMsPerSuggestion(name, group.problems());
      table.row(row("* " + name, both, name, cpu));
    }
    Scores among = theirs;
    group.peers().stream()
        .sorted(Comparator.comparingDouble(peer -> among.ratio(peer, last())))
        .forEach(peer -> table.row(row(peer, among, peer, cpu(peer, group.problems()))));
    return table;
  }

  private double cpu(String peer, List<String> members) {
    return members.stream()
        .mapToDouble(problem -> peers.cpuMsPerSuggestion(peer, problem))
        .filter(cpu -> !Double.isNaN(cpu))
        .average()
        .orElse(Double.NaN);
  }

  private String[] row(String label, Scores scores, String name, double cpu) {
    List<String> cells = new ArrayList<>(List.of(label));
    checkpoints.forEach(k -> cells.add(format("%.2f", scores.rank(name, k))));
    checkpoints.forEach(k -> cells.add(format("%.3f", scores.ratio(name, k))));
    cells.add(format("%.3g", cpu));
    return cells.toArray(String[]::new);
  }

  private ResultTable byProblem(int results) {
    List<String> head = new ArrayList<>(List.of(""));
    contenders.forEach(contender -> head.add(contender.label()));
    head.addAll(List.of("Random", "best peer", ""));
    ResultTable table = new ResultTable(head.toArray(String[]::new));
    for (SearchProblem problem : problems) {
      String name = problem.name();
      List<String> cells = new ArrayList<>(List.of(name));
      for (SearchContender contender : contenders) {
        cells.add(format("%.3g", runs.mean(contender.label(), name, results)));
      }
      cells.add(format("%.3g", runs.mean(SearchContender.RANDOM, name, results)));
      String best =
          peers.on(List.of(name)).stream()
              .filter(peer -> !Double.isNaN(peers.mean(peer, name, results)))
              .min(Comparator.comparingDouble(peer -> peers.mean(peer, name, results)))
              .orElse("");
      cells.add(format("%.3g", peers.mean(best, name, results)));
      cells.add(best);
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    for (SearchContender contender : contenders) {
      List<String> worse = new ArrayList<>();
      for (SearchProblem problem : problems) {
        double chance =
            runs.chanceThatNotWorse(
                contender.label(), SearchContender.RANDOM, problem.name(), last());
        if (chance < SIGNIFICANT) {
          worse.add("%s (p = %.3f)".formatted(problem.name(), chance));
        }
      }
      all.add(
          "%s: significantly worse than Random (5 %%, signed ranks by seed) on %s"
              .formatted(contender.label(), worse.isEmpty() ? "no problem" : worse));
    }
    runs.all().stream()
        .filter(run -> run.error() != null)
        .map(run -> run.tuner() + " failed on " + run.problem() + ": " + run.error())
        .distinct()
        .forEach(all::add);
    return all;
  }

  private static String format(String pattern, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, pattern, value);
  }
}
