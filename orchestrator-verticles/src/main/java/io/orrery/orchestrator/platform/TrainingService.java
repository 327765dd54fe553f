package io.orrery.orchestrator.platform;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.trial.AttemptRef;
import io.vertx.core.Future;
import java.util.List;

/**
 * Runs attempts of trials somewhere: on this machine, on a cluster.
 *
 * <p>An attempt has a name that is derived from experiment, trial and attempt number, and
 * everything here is idempotent by that name: a submission that is repeated (the server was killed
 * before it learnt the answer) finds the first, and never starts a second process. What happens to
 * an attempt is told to the {@link PlatformListener}, in the attempt's own order:
 *
 * <pre>{@code
 * submit ──► Waiting* ──► Started ──► (reports)* ──► Ended
 *                 └───────────────────────────────────┘
 * }</pre>
 *
 * <p>{@code Ended} comes exactly once for each attempt that was submitted or found by {@link
 * #adopt}, and only after (1) everything that the attempt reported is durable and (2) no process of
 * it is left. Attempts outlive the server wherever the platform can make them.
 *
 * <p>Nothing here blocks; futures complete on the context that asked. Implementations are thread
 * safe: submission and status call them from different verticles.
 */
public interface TrainingService {
  /**
   * Makes ready what all trials of an experiment share, such as an uploaded code directory. Called
   * before its first submission, again after a restart, and does nothing the second time.
   *
   * @return fails with Refused when the specification cannot work here
   */
  Future<Void> prepare(ExperimentId experiment, ExperimentSpec spec);

  /**
   * Starts an attempt, or queues it on the platform.
   *
   * @return completes when the platform has taken it; fails with Busy when it should be tried again
   *     later (the trial goes on waiting, with that reason), with anything else when this attempt
   *     can never start
   */
  Future<Void> submit(Submission submission);

  /**
   * Ends an attempt: asks politely, then kills, its whole process tree. {@code Ended} follows.
   * Nothing happens when it is over already; one that has not started will not.
   *
   * @return completes when the attempt and every process of it is gone
   */
  Future<Void> cancel(AttemptRef attempt);

  /**
   * Takes up attempts that an earlier server process submitted, or was about to. For each one that
   * the platform knows, events follow as if it had been submitted now, everything that it reported
   * since included (the receiver drops what it has).
   *
   * @return completes with those that the platform does not know: they never started, and never
   *     will unless they are submitted again
   */
  Future<List<AttemptRef>> adopt(List<Submission> submissions);

  /**
   * Removes what an experiment left on the platform, trial files included. Its attempts are over.
   */
  Future<Void> cleanUp(ExperimentId experiment);

  /** Stops watching and lets go of threads and connections; attempts go on running. */
  Future<Void> close();
}
