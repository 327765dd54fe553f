package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.ingest.IngestBenchmark.Keeping;
import io.orrery.benchmarks.ingest.IngestBenchmark.Transport;
import io.orrery.benchmarks.ingest.peer.Reference;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A report of all that was measured: a table for people, lines for programs. A line of a peer has a
 * key {@code peer} and none for a store, so that who looks for ours finds ours.
 */
final class IngestReport {
  private static final String NOTES =
      """
      Medians of the rounds, in brackets lowest to highest; "ours to it" is the median over pairs of one round.
      synced: whether a point is on the disk before it is acknowledged. What is not goes with the machine.
      reference: not of this run but of a quiet machine with two cores, in November 2026.
      """;

  private final ResultTable table =
      new ResultTable(
          "transport",
          "store",
          "batch",
          "server",
          "points/s",
          "CPU µs/point",
          "ours to it",
          "p50 ms",
          "p99 ms",
          "lost",
          "synced",
          "goal");
  private final List<Map<String, Object>> lines = new ArrayList<>();

  /** Adds ours, and what is beside it in the rows that follow. */
  void add(Transport transport, Keeping store, int batch, ServerTotals ours) {
    row(transport, store.word(), batch, ours, "", goal(transport, store, batch));
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("transport", transport.word());
    line.put("store", store.word());
    line.put("batch", batch);
    figures(line, ours);
    lines.add(line);
  }

  /** Adds peers that took turns with ours, and what is known of those that did not. */
  void addPeers(Transport transport, int batch, ServerTotals ours, List<ServerTotals> peers) {
    for (ServerTotals peer : peers) {
      double ratio = round(peer.ratioOf(ours));
      row(transport, "its own", batch, peer, Double.toString(ratio), "");
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("peer", peer.name());
      line.put("transport", transport.word());
      line.put("batch", batch);
      figures(line, peer);
      line.put("oursToIt", ratio);
      lines.add(line);
    }
    for (Reference reference : Reference.ALL) {
      Double known = reference.cpuMicros().get(batch);
      boolean measured = peers.stream().anyMatch(peer -> peer.name().equals(reference.name()));
      if (!measured && (reference.peer() || known != null)) {
        String name = reference.name() + (reference.peer() ? ", not installed" : ", not run here");
        String cpu = known == null ? "" : known + ", reference";
        String word = transport.word();
        table.row(word, "", Integer.toString(batch), name, "", cpu, "", "", "", "", "", "");
      }
    }
  }

  /** Adds ours with accounts, and ours without that took turns with it. */
  void addWithout(
      Transport transport,
      Keeping store,
      int batch,
      ServerTotals accounts,
      List<ServerTotals> without) {
    row(transport, store.word(), batch, accounts, "", "1.05 to the others");
    lines.add(line(transport, store, batch, accounts));
    for (ServerTotals each : without) {
      double ratio = round(each.ratioOf(accounts));
      row(transport, store.word(), batch, each, Double.toString(ratio), "");
      Map<String, Object> beside = line(transport, store, batch, each);
      beside.put("accountsToIt", ratio);
      lines.add(beside);
    }
  }

  private static Map<String, Object> line(
      Transport transport, Keeping store, int batch, ServerTotals of) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("server", of.name());
    line.put("transport", transport.word());
    line.put("store", store.word());
    line.put("batch", batch);
    figures(line, of);
    return line;
  }

  private void row(
      Transport transport, String store, int batch, ServerTotals of, String ratio, String goal) {
    OptionalLong lost = of.lost();
    table.row(
        transport.word(),
        store,
        Integer.toString(batch),
        of.name(),
        spread("%,.0f", of.all(Round::pointsPerSecond)),
        spread("%.2f", of.all(Round::cpuMicros)),
        ratio,
        String.valueOf(round(of.all(Round::p50).at(0.5))),
        String.valueOf(round(of.all(Round::p99).at(0.5))),
        lost.isPresent() ? Long.toString(lost.getAsLong()) : "",
        of.syncs() ? "yes" : "no",
        goal);
  }

  private static String spread(String form, Quantiles of) {
    return String.format(
        Locale.ROOT, form + " (" + form + " to " + form + ")", of.at(0.5), of.at(0), of.at(1));
  }

  private static void figures(Map<String, Object> line, ServerTotals of) {
    Quantiles perSecond = of.all(Round::pointsPerSecond);
    Quantiles cpu = of.all(Round::cpuMicros);
    line.put("pointsPerSecond", Math.round(perSecond.at(0.5)));
    line.put("cpuMicrosPerPoint", round(cpu.at(0.5)));
    line.put("p50Ms", round(of.all(Round::p50).at(0.5)));
    line.put("p99Ms", round(of.all(Round::p99).at(0.5)));
    of.lost().ifPresent(lost -> line.put("lost", lost));
    line.put("rounds", of.rounds().size());
    line.put("pointsPerSecondLowest", Math.round(perSecond.at(0)));
    line.put("pointsPerSecondHighest", Math.round(perSecond.at(1)));
    line.put("cpuMicrosPerPointLowest", round(cpu.at(0)));
    line.put("cpuMicrosPerPointHighest", round(cpu.at(1)));
  }

  private static String goal(Transport transport, Keeping store, int batch) {
    if (store == Keeping.POSTGRESQL) {
      return "100,000/s";
    }
    return switch (transport) {
      case HTTP ->
          switch (batch) {
            case 1 -> "12 µs, 40,000/s";
            case 100 -> "0.6 µs, 600,000/s";
            default -> "0.40 µs, 1,200,000/s";
          };
      case WS -> batch == 1 ? "0.5 µs" : "";
      case KAFKA -> "200,000/s";
    };
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3f", value));
  }

  String text() {
    return table + "\n" + NOTES;
  }

  List<Map<String, Object>> lines() {
    return lines;
  }
}
