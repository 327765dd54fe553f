package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.ingest.IngestBenchmark.Keeping;
import io.orrery.benchmarks.ingest.IngestBenchmark.Transport;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.KafkaBroker;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.WaitingTrials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A server of ours, with trials that wait.
 *
 * @param broker where points come over Kafka
 * @param trials {@code <experiment>/<trial>} of each
 */
record OwnServer(
    Guarding guarding,
    Transport transport,
    ServerProcess server,
    ProcessHandle process,
    @Nullable KafkaBroker broker,
    List<String> trials)
    implements Subject {
  static final String NAME = "orrery";
  private static final String ACCOUNTS = "auth: {users: true, sandbox: none}\n";

  /** The ways of asking who reports. */
  enum Guarding {
    /** No caller is asked, and senders show nothing. */
    NONE,
    /** No caller is asked, and senders show the token of their trial. */
    TOKENS,
    /** Users have accounts, and senders show the token of their trial. */
    ACCOUNTS
  }

  /**
   * Starts it, and what it needs beside it.
   *
   * @param folder for all that they keep
   */
  static OwnServer start(Path folder, Transport transport, Keeping store) throws Exception {
    return start(folder, transport, store, Guarding.NONE);
  }

  /** The same for one that asks in some way who reports. */
  static OwnServer start(Path folder, Transport transport, Keeping store, Guarding guarding)
      throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    KafkaBroker broker =
        transport == Transport.KAFKA ? KafkaBroker.start(folder.resolve("broker")) : null;
    StringBuilder configuration = new StringBuilder();
    if (broker != null) {
      configuration.append("kafka: {bootstrapServers: '" + broker.address() + "'}\n");
    }
    if (store == Keeping.POSTGRESQL) {
      configuration.append("store: {url: '" + PostgresServer.newDatabase() + "'}\n");
    }
    if (guarding == Guarding.ACCOUNTS) {
      configuration.append(ACCOUNTS);
    }
    Files.writeString(home.resolve("orrery.yml"), configuration);
    ServerProcess server = ServerProcess.start(home);
    if (guarding == Guarding.ACCOUNTS) {
      server.asOperator();
    }
    List<String> trials =
        WaitingTrials.start(server, folder.resolve("code"), IngestBenchmark.TRIALS);
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    return new OwnServer(guarding, transport, server, process, broker, trials);
  }

  @Override
  public String name() {
    return switch (guarding) {
      case NONE -> NAME;
      case TOKENS -> NAME + ", tokens shown";
      case ACCOUNTS -> NAME + ", accounts";
    };
  }

  @Override
  public boolean syncs() {
    return true;
  }

  @Override
  public IngestLoad load(int batch, IngestTally tally) throws IOException, InterruptedException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    List<LineBatch> lines = new ArrayList<>();
    for (int i = 0; i < transport.connections(batch); i++) {
      lines.add(new LineBatch(trials.get(i % trials.size()), "c" + i, batch));
    }
    if (broker != null) {
      return new KafkaLoad(broker, lines, tally);
    }
    List<Sender> senders = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      LineBatch own = lines.get(i);
      String trial = trials.get(i % trials.size());
      String token = guarding == Guarding.NONE ? "" : WaitingTrials.token(server, trial);
      senders.add(
          transport == Transport.HTTP
              ? new HttpSender(address, "/api/v1/metrics", token, own, tally)
              : new SocketSender(address, own, tally));
    }
    return new SocketLoad(senders, tally);
  }

  @Override
  public OptionalLong kept() throws IOException, InterruptedException {
    long kept = 0;
    for (String trial : trials) {
      kept += WaitingTrials.points(server, trial);
    }
    return OptionalLong.of(kept);
  }

  /** Its trials end before it. */
  @Override
  public void close() throws IOException {
    try {
      String experiment = trials.getFirst().split("/")[0];
      server.post("/experiments/" + experiment + "/stop", "");
      server.awaitStatus(experiment, Duration.ofSeconds(60), "STOPPED", "DONE", "FAILED");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.close();
      if (broker != null) {
        broker.close();
      }
    }
  }
}
