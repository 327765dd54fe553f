package io.orrery.compute.service;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts of trials somewhere: on this machine, on a cluster.
 *
 * <p>An attempt has a name that is derived from experiment, trial and attempt number, and
 * everything here is idempotent by that name: a submission that is repeated (the server was killed
 * before it learnt the answer) finds the first, and never starts a second process. What happens to
 * an attempt is told to the {@link PlatformListener}, in the attempt's own order:
 *
 * <pre>{@code
 * submit ──► Waiting* ──► Started ──► (reports)* ──► Vacated? ──► (reports)* ──► Ended
 *                 └──────────────────────────────────────────────────────────────┘
 * }</pre>
 *
 * <p>{@code Ended} comes exactly once for each attempt that was submitted or found by {@link
 * #adopt}, and only after (1) everything that the attempt reported is durable and (2) its process
 * tree is gone. A process that left the tree on purpose (its own session) is ended as well: before
 * {@code Ended} when the attempt was cancelled, within seconds after it otherwise. Who submits or
 * adopts an attempt again after its {@code Ended} is told its story again. Attempts outlive the
 * server wherever the platform can make them.
 *
 * <p>Nothing here blocks; futures complete on the context that asked. Implementations are thread
 * safe: submission and status call them from different verticles.
 */
public interface TrainingService {
  /**
   * Looks whether jobs could run here: one item for each thing that was looked at, in the order in
   * which it matters. Starts nothing and changes nothing.
   *
   * @param job has passed its own checks, those of the factory included
   * @param concurrency how many attempts there may be at once
   * @return fails for nothing that it finds; empty where there is nothing more to look at
   */
  default Future<List<Item>> check(JobSpec job, int concurrency) {
    return Future.succeededFuture(List.of());
  }

  /**
   * Advice for the author of a job before it is run here, in full sentences; looks at the platform
   * for a few seconds at most, and has none when that is away.
   */
  default Future<List<String>> notices(JobSpec job) {
    return Future.succeededFuture(List.of());
  }

  /**
   * Makes ready what all attempts of an owner share, such as an uploaded code directory. Called
   * before its first submission, again after a restart, and does nothing the second time.
   *
   * @param owner an experiment, or a run of a pipeline ({@link ExperimentId#isOfRun})
   * @return fails with Refused when the job cannot work here
   */
  Future<Void> prepare(ExperimentId owner, JobSpec job);

  /**
   * Does the same for an experiment. A service that makes up what its trials report, as a simulated
   * one does, overrides it to know what is searched for; one that hands jobs on to other services
   * overrides it to hand this on as well.
   */
  default Future<Void> prepare(ExperimentId experiment, JobSpec job, SearchSpec search) {
    return prepare(experiment, job);
  }

  /**
   * Starts an attempt, or queues it on the platform.
   *
   * @return completes when the platform has taken it; fails with Busy when it should be tried again
   *     later (the trial goes on waiting, with that reason), with anything else when this attempt
   *     can never start
   */
  Future<Void> submit(Submission submission);

  /**
   * Ends an attempt: asks politely, then kills, its whole process tree. {@code Ended} follows, with
   * whatever exit code the process had then. Nothing happens when it is over already. One that has
   * not started never will, not even when its submission arrives later or is repeated: that answers
   * with {@code Ended} at once.
   *
   * @return completes when the attempt and every process of it is gone
   */
  Future<Void> cancel(AttemptRef attempt);

  /**
   * Takes back an attempt that the platform has, but has not begun to start, for instance because
   * it waits for a GPU: as if it had never been submitted. No event of it follows, and it may be
   * submitted again.
   *
   * @return completes with whether it was taken back; if not, nothing has changed
   */
  default Future<Boolean> withdraw(AttemptRef attempt) {
    return Future.succeededFuture(false);
  }

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
   * Reads a piece of what an attempt wrote, while it runs or afterwards.
   *
   * @param offset byte to start from; negative counts from the end
   * @param limit most bytes, 1 to 1,048,576
   * @return an empty piece while there is nothing (yet) from there on; fails with NotFound when the
   *     platform has no files of this attempt
   */
  Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit);

  /**
   * Brings what an attempt of a step has left to its directory of outputs, where the platform does
   * not share that directory; may be repeated.
   *
   * @param outputs which {@link Submission#step} has named
   * @return fails with Refused when it did not arrive whole
   */
  default Future<Void> bring(AttemptRef attempt, Path outputs) {
    return Future.succeededFuture();
  }

  /**
   * Removes what an experiment left on the platform, trial files included. Its attempts are over.
   */
  Future<Void> cleanUp(ExperimentId experiment);

  /**
   * Does the same for an experiment that is being deleted, as far as the platform lets it: one that
   * is gone for good, or does not let this server in any more, does not prevent the deletion here.
   *
   * @return what may be left on the platform, in full sentences; empty when nothing is
   */
  default Future<List<String>> remove(ExperimentId experiment) {
    return cleanUp(experiment).map(List.of());
  }

  /**
   * Another server owns an experiment now, or will soon: its attempts go on, and from here nothing
   * of them is told, changed or removed any more, until they are submitted or adopted again.
   */
  default Future<Void> leave(ExperimentId experiment) {
    return Future.succeededFuture();
  }

  /**
   * The room for attempts of a job that is known now: nothing is looked at for it. Does not block.
   */
  default Room room(JobSpec job) {
    return Room.UNKNOWN;
  }

  /**
   * The machines that attempts of an experiment run on, or may, as they were last heard or looked
   * at; empty where it knows of none. Looks at nothing itself, and does not block.
   */
  default List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    return List.of();
  }

  /** The GPUs of the server's own machine; null unless it gives those. Does not block. */
  default @Nullable GpuReport gpus() {
    return null;
  }

  /**
   * Stops watching and releases threads and connections; attempts go on running. No event comes
   * after it has completed, and nothing is accepted.
   */
  Future<Void> close();
}
