package io.orrery.gateway.nni;

import io.orrery.core.bus.Bus;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Listeners;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.tensorboard.Boards;
import java.nio.file.Path;
import java.util.List;

/**
 * NNI's REST API: {@code /experiments/<id>/api/v1/nni} for any experiment, {@code
 * /<prefix>/api/v1/nni} for the one that was created with that prefix, and {@code /api/v1/nni},
 * where NNI's own clients look, for the one whose port it is, else the newest.
 */
public final class NniApi implements Api {
  private static final List<String> BASES =
      List.of("/experiments/:experiment/api/v1/nni", "/api/v1/nni", "/:prefix/api/v1/nni");

  private final NniExperiment experiment;
  private final NniStart starting;
  private final NniIndex index;
  private final NniResults results;
  private final NniFiles files;
  private final NniTrials trials;
  private final NniMetrics metrics;
  private final NniTensorBoard tensorBoard;
  private final TunerSocket tuner;

  /**
   * @param experiments the directory that holds a directory for each experiment
   * @param ports which experiment a port is for
   * @param index where NNI's tools find experiments
   * @param ownerships the projects and owners of experiments
   * @param start a name that no other start of this server has had
   */
  public NniApi(
      Bus bus,
      RequestBody bodies,
      Clock clock,
      EdgeOptions options,
      Path experiments,
      ExperimentPorts ports,
      ExperimentIndex index,
      Boards boards,
      Ownerships ownerships,
      String start) {
    NniTarget target = new NniTarget(bus, ports, ownerships);
    this.experiment = new NniExperiment(bus, bodies, target, experiments, index);
    this.starting = new NniStart(bus, bodies, target);
    this.index = new NniIndex(bus, target, index);
    this.results = new NniResults(bus, bodies, target);
    this.files = new NniFiles(bus, clock, options, target);
    this.trials = new NniTrials(bus, bodies, clock, options, target);
    this.metrics = new NniMetrics(bus, clock, options, target);
    this.tensorBoard = new NniTensorBoard(bodies, target, boards);
    this.tuner = new TunerSocket(bus, clock, target, start);
  }

  @Override
  public void mount(ApiRouter router) {
    for (String base : BASES) {
      experiment.mount(router, base);
      starting.mount(router, base);
      index.mount(router, base);
      results.mount(router, base);
      files.mount(router, base);
      trials.mount(router, base);
      metrics.mount(router, base);
      tensorBoard.mount(router, base);
    }
    tuner.mount(router);
  }

  @Override
  public void listening(Listeners listeners) {
    tuner.listening();
  }

  @Override
  public void close() {
    tuner.close();
  }
}
