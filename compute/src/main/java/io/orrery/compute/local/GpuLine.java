package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of attempts that need GPUs, until they are launched. What they are given is recorded in
 * their directories; together with the marks of their processes that tells the next server what is
 * taken, whichever attempt it adopts first. Thread safe.
 */
final class GpuLine {
  private static final Logger LOG = LoggerFactory.getLogger(GpuLine.class);

  private final Path home;
  private final ProcessMarks marks;
  private final Launcher launcher;
  private final PlatformListener listener;
  private final Clock clock;
  private final Executor threads;
  private final Consumer<LocalAttempt> follow;
  private final GpuQueue queue;

  /**
   * @param threads for what may block; refuses once the platform closes
   * @param follow stays with an attempt to its end, on the calling thread
   */
  GpuLine(
      Path home,
      ProcessMarks marks,
      Launcher launcher,
      PlatformListener listener,
      Clock clock,
      Executor threads,
      GpuProbe probe,
      ProcessTable census,
      Consumer<LocalAttempt> follow) {
    this.home = home;
    this.marks = marks;
    this.launcher = launcher;
    this.listener = listener;
    this.clock = clock;
    this.threads = threads;
    this.follow = follow;
    this.queue = new GpuQueue(probe::look, () -> taken(census.take().all()), clock, threads);
  }

  /** The attempt waits for GPUs; it is launched and followed when it gets them. */
  void join(LocalAttempt attempt, Submission submission, GpuRequest wanted) {
    queue.request(
        attempt.ref(),
        wanted,
        new GpuQueue.Waiter() {
          @Override
          public void waits(String reason) {
            listener.happened(new PlatformEvent.Waiting(attempt.ref(), reason));
          }

          @Override
          public void granted(GpuGrant grant) {
            inTurn(() -> start(attempt, submission, wanted, grant));
          }
        });
    if (attempt.isToEnd()) {
      leave(attempt);
    }
  }

  /** An attempt that waits and is to end does so at once; others are not concerned. */
  void leave(LocalAttempt attempt) {
    if (queue.withdraw(attempt.ref())) {
      inTurn(() -> followUnstarted(attempt));
    }
  }

  /** Takes an attempt out of the line; false when it is not in it any more, or is to end. */
  boolean withdraw(LocalAttempt attempt) {
    return !attempt.isToEnd() && queue.withdraw(attempt.ref());
  }

  /** The attempt is over: what it was given is free. */
  void release(AttemptRef attempt) {
    queue.release(attempt);
  }

  @Nullable Integer free(GpuRequest request) {
    return queue.free(request);
  }

  GpuReport report() {
    return queue.report();
  }

  void lookOnce() {
    queue.lookOnce();
  }

  /** Stops launching. */
  void close() {
    queue.close();
  }

  private void start(
      LocalAttempt attempt, Submission submission, GpuRequest wanted, GpuGrant grant) {
    if (attempt.isToEnd()) {
      followUnstarted(attempt);
      return;
    }
    try {
      attempt.launch(launcher, submission, grant);
    } catch (IOException | RuntimeException e) {
      if (Problem.of(e) instanceof Problem.Busy busy) {
        queue.release(attempt.ref());
        listener.happened(new PlatformEvent.Waiting(attempt.ref(), busy.detail()));
        clock.after(busy.retryAfter(), () -> inTurn(() -> join(attempt, submission, wanted)));
      } else {
        attempt.giveUp("it could not be started: " + Problem.of(e).detail());
        followUnstarted(attempt);
      }
      return;
    }
    follow.accept(attempt);
  }

  /** Records that it never starts, in a directory that it may not have yet. */
  private void followUnstarted(LocalAttempt attempt) {
    try {
      attempt.makeDirectory();
    } catch (IOException e) {
      LOG.warn("could not make the directory of attempt {}: {}", attempt.ref(), e.toString());
    }
    follow.accept(attempt);
  }

  /** Every process that carries a mark belongs to an attempt. */
  private GpuCensus taken(List<Found> processes) throws IOException {
    Set<Long> alive = new HashSet<>();
    Map<Long, AttemptRef> trials = new HashMap<>();
    Map<AttemptRef, GpuGrant> grants = new HashMap<>();
    for (Found found : processes) {
      alive.add(found.pid());
      AttemptRef ref = found.mark() == null ? null : marks.attempt(found.mark());
      if (ref != null && trials.put(found.pid(), ref) == null && !grants.containsKey(ref)) {
        GpuGrant grant = AttemptFiles.of(home, ref).grant();
        if (grant != null) {
          grants.put(ref, grant);
        }
      }
    }
    return new GpuCensus(alive, trials, grants);
  }

  /** Leaves to the next server what a closing one cannot do. */
  private void inTurn(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException closed) {
      LOG.trace("dropping a start: the platform is closed");
    }
  }
}
