package io.orrery.benchmarks.ingest.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A server of another make that takes points over HTTP. */
public sealed interface IngestPeer permits VictoriaMetrics, InfluxDb, Pushgateway {
  /** How long ago the first points were, by their time stamps: none lies in the future. */
  Duration AGO = Duration.ofDays(1);

  /**
   * All that can be measured.
   *
   * @param now by the clock
   */
  static List<IngestPeer> all(Instant now) {
    Instant first = now.minus(AGO);
    return List.of(new VictoriaMetrics(first), new InfluxDb(first), new Pushgateway());
  }

  /** How it is called in the table. */
  String name();

  /** The program's name, where it is installed. */
  String program();

  /** Whether a point is synced to the disk before it is acknowledged. */
  boolean syncs();

  /**
   * The command that starts it; what that needs is written.
   *
   * @param folder for all that it keeps
   */
  List<String> command(Path program, Path folder, int port) throws IOException;

  /** Makes it ready for points. */
  default void prepare(MeasuredProcess running) throws IOException, InterruptedException {}

  /** What a connection posts for a trial. */
  PostPlan post(String trial, String source);

  /** How many points it has, when it keeps more than the last. */
  OptionalLong kept(MeasuredProcess running) throws IOException, InterruptedException;

  /** Starts it on loopback. */
  default MeasuredProcess start(Path program, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    int port = MeasuredProcess.freePort();
    MeasuredProcess child =
        MeasuredProcess.start(
            name(), folder.resolve("log"), port, command(program, folder, port), Map.of());
    try {
      prepare(child);
      return child;
    } catch (IOException | InterruptedException e) {
      child.close();
      throw e;
    }
  }
}
