package io.orrery.compute.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptStoreTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp");
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(EXPERIMENT, new TrialId("trial")), 1);

  @TempDir Path home;
  private Vertx vertx;
  private AttemptStore shelf;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    shelf = new AttemptStore(vertx, home, KeptLimits.DEFAULT);
    shelf
        .files(ATTEMPT)
        .write(new ParameterSet(0, "1", ParameterSource.ALGORITHM, Parameters.EMPTY));
  }

  @AfterEach
  void close() {
    shelf.close().await();
    vertx.close().await();
  }

  @Test
  void aKeeperWhoseAttemptLostItsFilesIsToComeAgainAndOneOfADeletedExperimentIsNot()
      throws Exception {
    assertThat(shelf.known(ATTEMPT)).isEqualTo(shelf.files(ATTEMPT));

    Files.write(shelf.files(ATTEMPT).parameters(), new byte[0]);
    assertIsRefused(Problem.Busy.class);
    DirectoryTree.delete(shelf.files(ATTEMPT).directory());
    assertIsRefused(Problem.Busy.class);

    DirectoryTree.delete(AttemptLayout.experiment(home, EXPERIMENT));
    assertIsRefused(Problem.NotFound.class);
  }

  private void assertIsRefused(Class<? extends Problem> why) {
    assertThatThrownBy(() -> shelf.known(ATTEMPT))
        .isInstanceOfSatisfying(
            ProblemException.class, refused -> assertThat(refused.problem()).isInstanceOf(why));
  }
}
