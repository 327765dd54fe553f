package io.orrery.orchestrator.spec;

import io.orrery.core.experiment.ExperimentSpec;
import io.vertx.core.Future;

public final class LimitsPatch {
  public static Future<LimitsPatch> read(String text) {
    return Future.failedFuture(text);
  }

  public ExperimentSpec applyTo(ExperimentSpec s) {
    return s;
  }
}
