package io.orrery.compute.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.hybrid.HybridServiceFactory;
import io.orrery.compute.kubernetes.KubernetesServiceFactory;
import io.orrery.compute.local.LocalServiceFactory;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Adoption;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

  @Test
  void sharedTrialsAreTakenOverByAServerThatCanOnAllOfTheirPlatforms() throws Exception {
    Platforms few =
        OnlyThese.of(
            surroundings(),
            new LocalServiceFactory(),
            new KubernetesServiceFactory(),
            new HybridServiceFactory(),
            new Unshared());
    try {
      assertThat(few.adoption(among("kubernetes"))).isEqualTo(Adoption.ANYWHERE);
      assertThat(few.adoption(among("kubernetes", "local"))).isEqualTo(Adoption.ON_THE_SAME_HOST);
      assertThat(few.unshareable(among("kubernetes", "local"))).isEmpty();
      assertThat(few.adoption(among("local", "unshared"))).isEqualTo(Adoption.BY_ITSELF);
      assertThat(few.unshareable(among("local", "unshared")))
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.pointer()).isEqualTo("/trainingService/services/1/platform");
            assertThat(finding.message()).contains("cannot take over trials of unshared");
          });
    } finally {
      done(few.close());
    }
  }

  private JobSpec among(String... platforms) {
    List<Map<String, String>> services =
        Stream.of(platforms).map(each -> Map.of("platform", each)).toList();
    return BareJob.on(
        new TrainingServiceSpec("hybrid", new Parameters(Map.of("services", services))),
        "true",
        code().toString(),
        null);
  }

  /** A platform that says nothing of being taken over, as one from a jar may. */
  private static final class Unshared implements TrainingServiceFactory {
    @Override
    public String platform() {
      return "unshared";
    }

    @Override
    public String summary() {
      return "Says nothing.";
    }

    @Override
    public List<Finding> check(JobSpec job) {
      return List.of();
    }

    @Override
    public TrainingService open(Surroundings surroundings) {
      return new LocalServiceFactory().open(surroundings);
    }
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
