package io.orrery.orchestrator.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Platforms as experiments use them: each from a verticle of its own that comes and goes. */
class PlatformsIT extends TrainingServiceFixture {
  private Platforms platforms;

  @Override
  protected TrainingService open(Surroundings surroundings) {
    platforms = new Platforms(surroundings);
    return platforms.service("local").result();
  }

  @Override
  protected void lose(AttemptRef attempt) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        try {
          if (Files.readString(process.resolve("environ")).contains("token-of-" + attempt)) {
            return true;
          }
        } catch (IOException notOursOrGone) {
          continue;
        }
      }
    }
    return false;
  }

  @Test
  void whatEscapedFromASecondExperimentIsNoticedAfterTheFirstHasGone() throws Exception {
    Submission first = submission("first", "true");
    String deployment = done(vertx.deployVerticle(submitting(first)));
    listener.ended(first.attempt());
    done(vertx.undeploy(deployment));

    Submission second = submission("second", "setsid sleep 300 &");
    done(vertx.deployVerticle(submitting(second)));

    assertThat(listener.ended(second.attempt()).exitCode()).isZero();
    Eventually.until("the escaped process is gone", () -> !runs(second.attempt()));
  }

  private VerticleBase submitting(Submission submission) {
    return new VerticleBase() {
      @Override
      public Future<?> start() {
        return platforms.service("local").compose(service -> service.submit(submission));
      }
    };
  }
}
