package io.orrery.journeys.pipelines;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the example from data to a service, as a user does on a laptop. */
@Timeout(240)
class DigitsPipelineIT extends DigitsJourney {
  @Test
  void aModelIsTrainedSearchedRegisteredDeployedAndAskedWithinTwoMinutes() throws Exception {
    runs("digits.yml");

    server.send("DELETE", "/services/digits-perceptron", BodyPublishers.noBody());
  }
}
