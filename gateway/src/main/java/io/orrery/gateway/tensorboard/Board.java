package io.orrery.gateway.tensorboard;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A TensorBoard that serves, and the trials that it shows. */
public final class Board {
  private final ExperimentId experiment;
  private final List<TrialRun> runs;
  private final int port;
  private final String path;
  private final Program program;
  private final Instant startedAt;

  Board(
      ExperimentId experiment,
      List<TrialRun> runs,
      int port,
      String path,
      Program program,
      Instant startedAt) {
    this.experiment = experiment;
    this.runs = runs;
    this.port = port;
    this.path = path;
    this.program = program;
    this.startedAt = startedAt;
  }

  /** Its port: what it is known by while it runs. */
  public String id() {
    return Integer.toString(port);
  }

  public ExperimentId experiment() {
    return experiment;
  }

  /** On the loopback interface. */
  public int port() {
    return port;
  }

  /** The only address at which it answers, with the secret that its path holds, if any. */
  public String url() {
    return "http://127.0.0.1:" + port + path + "/";
  }

  public long pid() {
    return program.pid();
  }

  public Instant startedAt() {
    return startedAt;
  }

  /** In the order in which they were asked for. */
  public List<TrialRef> trials() {
    return runs.stream().map(TrialRun::trial).toList();
  }

  /** What TensorBoard reads of each trial. */
  public List<Path> directories() {
    return runs.stream().map(TrialRun::directory).toList();
  }

  List<TrialRun> runs() {
    return runs;
  }

  Program program() {
    return program;
  }
}
