package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.ingest.OwnServer.Guarding;
import io.orrery.benchmarks.ingest.peer.IngestPeer;
import io.orrery.benchmarks.report.Scratch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Points a second that are durable when they are acknowledged, and the server's processor time for
 * each. Closed loop: every connection sends again as soon as it has its answer. Peers that are
 * installed take turns with ours where points come over HTTP into the embedded store.
 */
public final class IngestBenchmark {
  /** So that a run has an end: a round with all peers takes half a minute. */
  public static final int MOST_ROUNDS = 50;

  static final int TRIALS = 16;

  /** The transports of points. */
  public enum Transport {
    HTTP,
    WS,
    KAFKA;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    int connections(int batch) {
      return switch (this) {
        case HTTP -> batch == 1 ? 512 : batch == 100 ? 64 : 16;
        case WS, KAFKA -> 16;
      };
    }
  }

  /** The stores that points are kept in. */
  public enum Keeping {
    EMBEDDED,
    POSTGRESQL;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The peers that are measured beside us. */
  public enum Beside {
    NONE,
    /** All that are installed. */
    ALL,
    /** Ours without accounts, beside ours with accounts. */
    ACCOUNTS;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final List<Transport> transports;
  private final List<Keeping> stores;
  private final List<Integer> batches;
  private final Beside beside;
  private final Duration warmUp;
  private final int rounds;
  private final Duration window;

  /**
   * @param batches points that are sent together, such as one, a second's worth of a busy trial, a
   *     backlog
   * @param warmUp load before anything is counted: the server compiles meanwhile
   * @param rounds how often each is measured
   * @param window how long each time
   */
  public IngestBenchmark(
      List<Transport> transports,
      List<Keeping> stores,
      List<Integer> batches,
      Beside beside,
      Duration warmUp,
      int rounds,
      Duration window) {
    this.transports = List.copyOf(transports);
    this.stores = List.copyOf(stores);
    this.batches = List.copyOf(batches);
    this.beside = beside;
    this.warmUp = warmUp;
    this.rounds = rounds;
    this.window = window;
  }

  /** Runs it and prints the table; the keys of each JSON line. */
  public List<Map<String, Object>> run() throws Exception {
    IngestReport report = new IngestReport();
    for (Keeping store : stores) {
      for (Transport transport : transports) {
        for (int batch : batches) {
          if (beside == Beside.ACCOUNTS) {
            if (transport != Transport.HTTP) {
              continue; // only a request over HTTP shows who reports
            }
            List<ServerTotals> all = measureAccounts(transport, store, batch);
            report.addWithout(transport, store, batch, all.getFirst(), all.subList(1, all.size()));
            continue;
          }
          boolean peers =
              beside == Beside.ALL && transport == Transport.HTTP && store == Keeping.EMBEDDED;
          List<ServerTotals> all = measure(transport, store, batch, peers);
          report.add(transport, store, batch, all.getFirst());
          if (peers) {
            report.addPeers(transport, batch, all.getFirst(), all.subList(1, all.size()));
          }
        }
      }
    }
    System.out.println(report.text());
    return report.lines();
  }

  /** New servers of ours for each row, the one with accounts first. */
  private List<ServerTotals> measureAccounts(Transport transport, Keeping store, int batch)
      throws Exception {
    try (Scratch scratch = Scratch.create();
        Contest contest = new Contest()) {
      for (Guarding guarding : List.of(Guarding.ACCOUNTS, Guarding.TOKENS, Guarding.NONE)) {
        Path folder = Files.createDirectories(scratch.path().resolve(guarding.name()));
        contest.join(OwnServer.start(folder, transport, store, guarding), batch, warmUp);
      }
      contest.run(rounds, window);
      return contest.standings();
    }
  }

  /** New servers for each row, ours first. */
  private List<ServerTotals> measure(Transport transport, Keeping store, int batch, boolean peers)
      throws Exception {
    try (Scratch scratch = Scratch.create();
        Contest contest = new Contest()) {
      contest.join(OwnServer.start(scratch.path(), transport, store), batch, warmUp);
      if (peers) {
        for (IngestPeer peer : IngestPeer.all(Instant.now())) {
          Path program = MeasuredProcess.installed(peer.program());
          if (program != null) {
            MeasuredProcess child = peer.start(program, scratch.path().resolve(peer.name()));
            // Nothing is compiled while it runs: a window is enough.
            contest.join(new PeerServer(peer, child), batch, window);
          }
        }
      }
      contest.run(rounds, window);
      return contest.standings();
    }
  }
}
