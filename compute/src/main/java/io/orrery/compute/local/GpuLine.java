package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private final Launcher launcher;
  private final PlatformListener listener;
  private final Clock clock;
  private final Executor threads;
  private final Consumer<LocalAttempt> follow;
  private final GpuQueue queue;
  private final Set<GpuUser> known = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param queue of all programs of this machine that need GPUs
   * @param threads for what may block; refuses once the platform closes
   * @param follow stays with an attempt to its end, on the calling thread
   */
  GpuLine(
      GpuQueue queue,
      Launcher launcher,
      PlatformListener listener,
      Clock clock,
      Executor threads,
      Consumer<LocalAttempt> follow) {
    this.queue = queue;
    this.launcher = launcher;
    this.listener = listener;
    this.clock = clock;
    this.threads = threads;
    this.follow = follow;
  }

  /** The attempt waits for GPUs; it is launched and followed when it gets them. */
  void join(LocalAttempt attempt, Submission submission, GpuRequest wanted) {
    GpuUser user = GpuUser.of(attempt.ref());
    known.add(user);
    queue.request(
        user,
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
    if (closed) {
      queue.leave(known);
    }
  }

  /** An attempt that waits and is to end does so at once; others are not concerned. */
  void leave(LocalAttempt attempt) {
    if (queue.withdraw(GpuUser.of(attempt.ref()))) {
      inTurn(() -> followUnstarted(attempt));
    }
  }

  /** Takes an attempt out of the line; false when it is not in it any more, or is to end. */
  boolean withdraw(LocalAttempt attempt) {
    GpuUser user = GpuUser.of(attempt.ref());
    if (attempt.isToEnd() || !queue.withdraw(user)) {
      return false;
    }
    known.remove(user);
    return true;
  }

  /** The attempt is over: what it was given is free. */
  void release(AttemptRef attempt) {
    queue.release(GpuUser.of(attempt));
    known.remove(GpuUser.of(attempt));
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

  /** Stops launching; what runs keeps what it holds. */
  void close() {
    closed = true;
    queue.leave(known);
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
        queue.release(GpuUser.of(attempt.ref()));
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

  /** Leaves to the next server what a closing one cannot do. */
  private void inTurn(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException closed) {
      LOG.trace("dropping a start: the platform is closed");
    }
  }
}
