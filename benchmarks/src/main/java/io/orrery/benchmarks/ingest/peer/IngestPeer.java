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

/** A server of another product that takes points over HTTP. */
public sealed interface IngestPeer permits VictoriaMetrics, InfluxDb, Pushgateway {
  /** The age of the first points, so that no time stamp lies in the future. */
  Duration AGO = Duration.ofDays(1);

  /** All servers that can be measured. */
  static List<IngestPeer> all(Instant now) {
    Instant first = now.minus(AGO);
    return List.of(new VictoriaMetrics(first), new InfluxDb(first), new Pushgateway());
  }

  /** The name in the table. */
  String name();

  /** The program's name, where it is installed. */
  String program();

  /** Whether a point is synced to the disk before it is acknowledged. */
  boolean syncs();

  /**
   * Writes the files that the server needs to start, and returns the command that starts it.
   *
   * @param folder for these files and the server's data
   */
  List<String> command(Path program, Path folder, int port) throws IOException;

  /** Makes it ready for points. */
  default void prepare(MeasuredProcess running) throws IOException, InterruptedException {}

  /** What a connection posts for a trial. */
  PostPlan post(String trial, String source);

  /** The number of points it has; empty for a server that keeps only the last of each series. */
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
