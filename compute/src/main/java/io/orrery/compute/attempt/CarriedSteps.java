package io.orrery.compute.attempt;

import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps of runs on a training service whose attempts have keepers and share no disk with the
 * server. The directory of an attempt, with code and inputs, goes there as its code; the outputs
 * come back as one file. What belongs to experiments passes unchanged.
 */
public final class CarriedSteps implements TrainingService {
  /** Marks the settings of a step: no key of a configuration. */
  private static final String STEP = "step";

  /** Keys that would put another command, or code of the image, in the place of the step's. */
  private static final List<String> OF_TRIALS =
      List.of("command", "trialCommand", "codeDirectory", "trialCodeDirectory", "trialGpuNumber");

  private final TrainingService below;
  private final Vertx vertx;
  private final Path home;

  /**
   * @param home in which keepers deliver what attempts leave
   */
  public CarriedSteps(TrainingService below, Vertx vertx, Path home) {
    this.below = below;
    this.vertx = vertx;
    this.home = home;
  }

  /** Whether settings are those of a step, whose code is sent whatever its image has. */
  public static boolean isStep(JobSpec job) {
    return Boolean.TRUE.equals(job.trainingService().settings().values().get(STEP));
  }

  private static JobSpec carried(ExperimentId owner, JobSpec job) {
    if (!owner.isOfRun()) {
      return job;
    }
    Path work = Path.of(job.codeDirectory());
    TrainingServiceSpec service = job.trainingService();
    Map<String, @Nullable Object> settings = new HashMap<>(service.settings().values());
    OF_TRIALS.forEach(settings::remove);
    settings.put(STEP, true);
    return job.onPlatform(
        StepProgram.of(job.command()),
        Objects.requireNonNull(work.getParent()).toString(),
        job.gpuNumber(),
        new TrainingServiceSpec(service.platform(), new Parameters(settings)));
  }

  private static Submission carried(Submission submission) {
    return submission.with(carried(submission.attempt().trial().experiment(), submission.job()));
  }

  @Override
  public Future<Void> bring(AttemptRef attempt, Path outputs) {
    if (!attempt.trial().experiment().isOfRun()) {
      return below.bring(attempt, outputs);
    }
    return vertx.executeBlocking(
        () -> {
          DeliveredOutputs.unpack(AttemptLayout.attempt(home, attempt), outputs);
          return null;
        },
        false);
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return below.prepare(experiment, carried(experiment, job));
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job, SearchSpec search) {
    return below.prepare(experiment, job, search);
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return below.submit(carried(submission));
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return below.adopt(submissions.stream().map(CarriedSteps::carried).toList());
  }

  @Override
  public Room room(JobSpec job) {
    return below.room(job);
  }

  @Override
  public List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    return below.machines(experiment, job);
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return below.check(job, concurrency);
  }

  @Override
  public Future<List<String>> notices(JobSpec job) {
    return below.notices(job);
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    return below.cancel(attempt);
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef attempt) {
    return below.withdraw(attempt);
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return below.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return below.cleanUp(experiment);
  }

  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return below.remove(experiment);
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return below.leave(experiment);
  }

  @Override
  public @Nullable GpuReport gpus() {
    return below.gpus();
  }

  @Override
  public Future<Void> close() {
    return below.close();
  }
}
