package io.orrery.gateway.experiment;

import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of experiments, their searches and the platforms that they run on. */
public final class ExperimentFeature {
  private ExperimentFeature() {}

  /**
   * Its groups of routes.
   *
   * @param ports under which clients of NNI know experiments
   * @param index in which NNI's tools find them
   */
  public static List<Api> apis(EdgeParts edge, ExperimentPorts ports, ExperimentIndex index) {
    return List.of(
        new ExperimentApi(edge.bus(), edge.bodies(), ports, index),
        new ExperimentEvents(edge.bus(), edge.ownerships(), edge.clock(), edge.streams()),
        new FrontApi(edge.bus()),
        new MachineApi(edge.bus()),
        new ImportanceApi(edge.bus()),
        new SimulationApi(edge.bus(), edge.bodies()),
        new TunerApi(edge.bus(), edge.bodies()),
        new PlatformApi(edge.bus(), edge.bodies()));
  }
}
