package io.orrery.gateway;

import io.orrery.core.bus.contract.Experiments;
import io.orrery.gateway.http.EdgeOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An edge with short times, and answers to what experiments are asked first. */
abstract class EdgeFixture {
  static final String LIST = "GET /api/v1/experiments";

  static final Duration SHORT = Duration.ofMillis(400);

  EdgeServer edge;

  @BeforeEach
  final void start() throws Exception {
    edge = EdgeServer.start(EdgeOptions.loopback(0).withTimes(SHORT, SHORT));
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(), null));
    edge.answer(Experiments.CREATE, new Experiments.Created(null, Samples.spec(), List.of()));
  }

  @AfterEach
  final void stop() throws Exception {
    edge.close();
  }
}
