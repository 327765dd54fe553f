package io.orrery.benchmarks.ingest.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * VictoriaMetrics: points are acknowledged from memory and written within seconds.
 *
 * @param first when the first point of each series was
 */
record VictoriaMetrics(Instant first) implements IngestPeer {
  private static final Duration SETTLING = Duration.ofSeconds(2);

  @Override
  public String name() {
    return "victoriametrics";
  }

  @Override
  public String program() {
    return "victoria-metrics";
  }

  @Override
  public boolean syncs() {
    return false;
  }

  @Override
  public List<String> command(Path program, Path folder, int port) {
    return List.of(
        program.toString(),
        "-storageDataPath=" + folder.resolve("data"),
        "-httpListenAddr=127.0.0.1:" + port,
        // It would close connections that are two minutes old.
        "-http.connTimeout=1h",
        "-http.idleConnTimeout=1h",
        "-loggerLevel=ERROR");
  }

  @Override
  public PostPlan post(String trial, String source) {
    return LineProtocol.post(trial, source, first);
  }

  /** What came last is seen a little later: until the count stands still. */
  @Override
  public OptionalLong kept(MeasuredProcess running) throws IOException, InterruptedException {
    Questions questions = new Questions(running.port());
    long kept = -1;
    for (long seen = count(questions); seen > kept; seen = count(questions)) {
      kept = seen;
      Thread.sleep(SETTLING);
    }
    return OptionalLong.of(kept);
  }

  private static long count(Questions questions) throws IOException, InterruptedException {
    questions.ask("/internal/force_flush", "");
    String series = LineProtocol.MEASUREMENT + "_value";
    long days = 1 + AGO.toDays();
    return questions
        .ask(
            "/api/v1/query?nocache=1&query=", "sum(count_over_time(" + series + "[" + days + "d]))")
        .at("/data/result/0/value/1")
        .asLong();
  }
}
