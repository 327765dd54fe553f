package io.orrery.gateway.launch;

import io.orrery.core.lease.Leases;
import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.host.TunerVerticle;
import io.orrery.tuner.host.Workers;
import io.orrery.tuner.python.Interpreter;
import java.io.IOException;
import java.net.URI;

/** The role {@code tuner}: what lets tuners and assessors think. */
final class Search {
  private static final int TUNER_QUEUE = 1_000;

  private Search() {}

  /**
   * Opens it.
   *
   * @param door where the dispatchers of NNI that it starts connect
   */
  static void open(Ground ground, Leases leases, URI door) throws IOException {
    ground.deploy(
        new TunerVerticle(
            ground.bus(),
            Catalog.standard(),
            leases,
            ground.clock(),
            new Workers(Runtime.getRuntime().availableProcessors(), TUNER_QUEUE)
                .withPatience(ground.config().tunerPatience()),
            Interpreter.standard(
                TrialSdk.unpack(ground.home().path()), ground.experiments(), ground.sandbox()),
            new Doorplate(door, ground.random()),
            ground.experiments()));
  }
}
