package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;

/** Follows one experiment. */
interface ExperimentWatch {
  /**
   * Waits for news, not much longer than a quarter of a second while the server answers.
   *
   * @return the experiment as it is now
   * @throws io.orrery.cli.client.Unreachable when the server has been gone for too long
   */
  JsonNode next();
}
