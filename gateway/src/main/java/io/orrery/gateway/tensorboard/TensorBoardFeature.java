package io.orrery.gateway.tensorboard;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of TensorBoards and the files that they show. */
public final class TensorBoardFeature {
  private TensorBoardFeature() {}

  /**
   * Its groups of routes.
   *
   * @param boards those that run
   */
  public static List<Api> apis(EdgeParts edge, Boards boards) {
    return List.of(
        new EventFileApi(edge.bus(), edge.clock(), edge.patience()),
        new BoardApi(edge.bus(), edge.bodies(), boards));
  }
}
