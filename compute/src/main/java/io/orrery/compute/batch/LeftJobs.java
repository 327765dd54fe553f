package io.orrery.compute.batch;

import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.attempt.JobFiles.Left;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the jobs of an experiment that may go on although their attempts have ended. Blocks. */
final class LeftJobs {
  /** The number of jobs that are named; the rest is counted. */
  private static final int NAMED = 10;

  private static final Logger LOG = LoggerFactory.getLogger(LeftJobs.class);

  private final JobFiles files;
  private final Function<JobSpec, JobApi> apis;

  LeftJobs(JobFiles files, Function<JobSpec, JobApi> apis) {
    this.files = files;
    this.apis = apis;
  }

  /**
   * Stops them unless the service does not let this server in, or cannot be reached.
   *
   * @return the jobs that may go on, in full sentences; empty for none
   * @throws ProblemException when the service answers that it has no time now
   */
  List<String> stopIfPossible(ExperimentId experiment) throws IOException {
    List<Left> left = files.left(experiment);
    if (left.isEmpty()) {
      return List.of();
    }
    // The steps of a run may be at several services, and a service knows its own jobs.
    List<String> words = new ArrayList<>();
    Set<TrainingServiceSpec> seen = new HashSet<>();
    for (JobSpec job : files.allPrepared(experiment)) {
      if (!seen.add(job.trainingService())) {
        continue;
      }
      String more = stopIfPossible(experiment, apis.apply(job), left);
      if (more != null && !words.contains(more)) {
        words.add(more);
      }
    }
    return List.copyOf(words);
  }

  private static @Nullable String stopIfPossible(
      ExperimentId experiment, JobApi api, List<Left> left) {
    try {
      left.forEach(job -> api.stop(new JobRef(job.name(), job.id())));
      return null;
    } catch (ProblemException e) {
      if (!isInVain(e)) {
        throw e;
      }
      LOG.warn("could not stop the jobs of {}: {}", experiment, e.problem().detail());
      return words(api, left, e.problem().detail());
    }
  }

  /** Whether trying again helps only if a right, or the service, is given back. */
  private static boolean isInVain(ProblemException e) {
    if (Refusal.isAnswered(e)) {
      return Refusal.isOfRightsOrPlace(e) || e.problem() instanceof Problem.Refused;
    }
    return !Thread.currentThread().isInterrupted()
        && (e.problem() instanceof Problem.Busy || e.problem() instanceof Problem.Refused);
  }

  private static String words(JobApi api, List<Left> left, String why) {
    String names =
        left.stream()
            .limit(NAMED)
            .map(job -> job.id() == null ? job.name() : job.name() + " (" + job.id() + ")")
            .collect(Collectors.joining(", "));
    int more = left.size() - NAMED;
    return "Jobs of the experiment may go on at %s, which cannot be asked to stop them (%s): %s%s"
        .formatted(api.service(), why, names, more > 0 ? " and " + more + " more" : "");
  }
}
