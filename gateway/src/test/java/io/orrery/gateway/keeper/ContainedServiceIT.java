package io.orrery.gateway.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceContract;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.id.AttemptRef;
import org.junit.jupiter.api.Test;

/**
 * Runs the contract of every platform with keepers over the real edge: their command's directory is
 * there, as it is in an image.
 */
class ContainedServiceIT extends TrainingServiceContract {
  private final KeptEdge edge = new KeptEdge(() -> listener);

  @Override
  protected TrialAccess access() {
    return edge;
  }

  /** A trial's channel is its keeper, so only the token is the server's. */
  @Override
  protected String identity(AttemptRef attempt) {
    return "/trial/";
  }

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return new ContainedService(surroundings, directory.resolve("pods"), false);
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    container(attempt).lose();
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    Container container = container(attempt);
    return container.exists() && container.runs();
  }

  private Container container(AttemptRef attempt) {
    return ((ContainedService) service).container(attempt);
  }

  @Test
  void aContainerThatHasEndedLeavesNothingOnItsDisk() throws Exception {
    AttemptRef attempt = submit("echo x >\"$NNI_OUTPUT_DIR/x\"");

    listener.ended(attempt);

    assertThat(container(attempt).leftOnDisk()).isEmpty();
    assertThat(container(attempt).errors()).isEmpty();
  }
}
