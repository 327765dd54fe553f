package io.orrery.benchmarks.ingest.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The Prometheus pushgateway: a group of each trial, of which it keeps the last value of each
 * metric, in memory. It takes no time stamps; what moves is the value.
 */
record Pushgateway() implements IngestPeer {
  private static final long FIRST = 1_000_000_000L;

  @Override
  public String name() {
    return "pushgateway";
  }

  @Override
  public String program() {
    return "prometheus-pushgateway";
  }

  @Override
  public boolean syncs() {
    return false;
  }

  @Override
  public List<String> command(Path program, Path folder, int port) {
    return List.of(
        program.toString(),
        "--web.listen-address=127.0.0.1:" + port,
        "--persistence.file=" + folder.resolve("data"),
        "--log.level=error");
  }

  @Override
  public PostPlan post(String trial, String source) {
    return new PostPlan(
        "/metrics/job/reported/trial/" + trial,
        (index, value) -> "reported{line=\"" + index + "\"} 0." + Form.NUMBER + '\n',
        FIRST);
  }

  @Override
  public OptionalLong kept(MeasuredProcess running) {
    return OptionalLong.empty();
  }
}
