package io.orrery.benchmarks.ingest.peer;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.child.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * An InfluxDB 1: as its makers set it, its log is synced before a point is acknowledged.
 *
 * @param first when the first point of each series was
 */
record InfluxDb(Instant first) implements IngestPeer {
  @Override
  public String name() {
    return "influxdb";
  }

  @Override
  public String program() {
    return "influxd";
  }

  @Override
  public boolean syncs() {
    return true;
  }

  @Override
  public List<String> command(Path program, Path folder, int port) throws IOException {
    Path file = folder.resolve("influxdb.conf");
    Files.writeString(
        file,
        """
        reporting-disabled = true
        bind-address = "127.0.0.1:%1$d"
        [meta]
          dir = "%2$s/meta"
        [data]
          dir = "%2$s/data"
          wal-dir = "%2$s/wal"
          query-log-enabled = false
        [monitor]
          store-enabled = false
        [http]
          bind-address = "127.0.0.1:%3$d"
          log-enabled = false
        [logging]
          level = "error"
        """
            .formatted(MeasuredProcess.freePort(), folder, port));
    return List.of(program.toString(), "run", "-config", file.toString());
  }

  @Override
  public void prepare(MeasuredProcess running) throws IOException, InterruptedException {
    new Questions(running.port()).ask("/query?q=", "CREATE DATABASE " + LineProtocol.DATABASE);
  }

  @Override
  public PostPlan post(String trial, String source) {
    return LineProtocol.post(trial, source, first);
  }

  @Override
  public OptionalLong kept(MeasuredProcess running) throws IOException, InterruptedException {
    JsonNode answer =
        new Questions(running.port())
            .ask(
                "/query?db=" + LineProtocol.DATABASE + "&q=",
                "SELECT count(value) FROM " + LineProtocol.MEASUREMENT);
    return OptionalLong.of(answer.at("/results/0/series/0/values/0/1").asLong());
  }
}
