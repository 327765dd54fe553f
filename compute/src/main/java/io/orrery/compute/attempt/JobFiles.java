package io.orrery.compute.attempt;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of jobs elsewhere that neither their cluster nor a keeper can supply after a restart:
 * the setup of an experiment, the submitted jobs, and the ends that no keeper has reported.
 */
public final class JobFiles {
  private static final String END = "";
  private static final String ORDER = ".order";
  private static final String LEFT = ".left";

  private final AttemptRecords records;

  /**
   * @param home the server's home directory
   * @param folder that of these files within an experiment's
   */
  public JobFiles(Path home, String folder) {
    this.records = new AttemptRecords(home, folder);
  }

  /**
   * A job that was asked for.
   *
   * @param id the service's own name of it; null while it is unknown whether the service has it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Order(@Nullable String id) {}

  /**
   * An end that no keeper told.
   *
   * @param ran whether it had started
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record End(boolean ran, @Nullable Integer exitCode, Instant at, @Nullable String reason) {
    /**
     * Tells it once more.
     *
     * @param url where people find the attempt's files
     */
    public void tell(PlatformListener listener, AttemptRef attempt, String url) {
      if (ran) {
        listener.happened(new PlatformEvent.Started(attempt, at, url));
      }
      listener.happened(new PlatformEvent.Ended(attempt, exitCode, at, reason));
    }
  }

  /**
   * A job that may go on although its attempt has ended here: its service refuses to stop it.
   *
   * @param id the service's own name of it; null while it is not known whether the service has it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Left(String name, @Nullable String id) {}

  /** Keeps what an experiment was prepared with. */
  public void prepared(ExperimentId experiment, JobSpec job) throws IOException {
    records.prepared(experiment, job);
  }

  /** What an experiment was prepared with; null when it was not. */
  public @Nullable JobSpec prepared(ExperimentId experiment) throws IOException {
    return records.prepared(experiment);
  }

  /** Keeps the job of an attempt of a step, which differs from that of other steps. */
  public void prepared(AttemptRef attempt, JobSpec job) throws IOException {
    records.prepared(attempt, job);
  }

  /** The preparation of an attempt: that of its experiment, or its own; null for neither. */
  public @Nullable JobSpec prepared(AttemptRef attempt) throws IOException {
    return records.prepared(attempt);
  }

  /** The job that an experiment was prepared with; those of a run's steps. */
  public List<JobSpec> allPrepared(ExperimentId experiment) throws IOException {
    return records.allPrepared(experiment);
  }

  public void ended(AttemptRef attempt, End end) throws IOException {
    records.write(attempt, END, end);
  }

  /** The end that was kept; null when there is none. */
  public @Nullable End ended(AttemptRef attempt) throws IOException {
    return records.read(attempt, END, End.class);
  }

  /** An attempt's job is about to be asked for, or has been. */
  public void ordered(AttemptRef attempt, Order order) throws IOException {
    records.write(attempt, ORDER, order);
  }

  /** What was asked for; null when nothing was. */
  public @Nullable Order ordered(AttemptRef attempt) throws IOException {
    return records.read(attempt, ORDER, Order.class);
  }

  /** Records a job that may go on although its attempt has ended here. */
  public void left(AttemptRef attempt, Left left) throws IOException {
    records.write(attempt, LEFT, left);
  }

  /** Lists the jobs of an experiment that may go on although their attempts have ended here. */
  public List<Left> left(ExperimentId experiment) throws IOException {
    return records.all(experiment, LEFT, Left.class);
  }

  /** The service has no job of this attempt, and will not have one. */
  public void forget(AttemptRef attempt) throws IOException {
    records.delete(attempt, ORDER);
  }
}
