package io.orrery.gateway;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An edge that is asked for the trials of one experiment. */
abstract class TrialRoutesFixture {
  static final String TRIALS = "/api/v1/experiments/digits01/trials";

  EdgeServer edge;

  @BeforeEach
  final void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  final void stop() throws Exception {
    edge.close();
  }
}
