package io.orrery.metrics.store;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writer thread and the bounded queue in front of it: many turns, one sync. */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** Bytes after which a group is written; bounds how long its first turn waits for its last. */
  private static final long GROUP_BYTES = 8 << 20;

  private final Vertx vertx;
  private final Journal journal;
  private final Compactor mover;
  private final LogLimits limits;
  private final Consumer<List<MetricPoint>> stored;
  private final LogWatch watch;
  private final BlockingQueue<LogTask<?>> queue = new LinkedBlockingQueue<>();

  /** What is in the queue or in the group that is being written. */
  private final AtomicInteger points = new AtomicInteger();

  private final AtomicLong bytes = new AtomicLong();
  private final Promise<Void> opened = Promise.promise();
  private final Promise<Void> released = Promise.promise();
  private final Thread thread;

  /** New points of the group at hand. */
  private final List<MetricPoint> fresh = new ArrayList<>();

  /** Why the log takes nothing. */
  private volatile Problem.@Nullable Broken broken;

  /** Whether it is the disk that takes nothing, and may again: what was taken is in the frame. */
  private boolean mayPass;

  private volatile boolean closing;
  private volatile boolean ended;

  LogWriter(
      Vertx vertx,
      Journal journal,
      Compactor mover,
      LogLimits limits,
      Consumer<List<MetricPoint>> stored,
      LogWatch watch) {
    this.vertx = vertx;
    this.journal = journal;
    this.mover = mover;
    this.limits = limits;
    this.stored = stored;
    this.watch = watch;
    this.thread = new Thread(this::run, "metrics-write");
    thread.setDaemon(true);
  }

  /** Completes when the journal has been read back. */
  Future<Void> start() {
    Context home = vertx.getOrCreateContext();
    thread.start();
    Promise<Void> ready = Promise.promise();
    opened.future().onComplete(result -> home.runOnContext(go -> ready.handle(result)));
    return ready.future();
  }

  /** Queues a turn; fails with Busy, and takes nothing, when a bound is reached. */
  <T> Future<T> submit(List<Batch> batches, int count, long size, LogTask.Work<T> work) {
    if (closing) {
      return Future.failedFuture(closed().toException());
    }
    if (!batches.isEmpty() && mover.waiting() > limits.waitingSegments()) {
      return busy("the disk does not keep up with storing metrics");
    }
    LogTask<T> turn = new LogTask<>(batches, count, size, Vertx.currentContext(), work);
    boolean tooMany = points.addAndGet(turn.weight()) > limits.queuedPoints();
    boolean tooLong = bytes.addAndGet(size) > limits.queuedBytes();
    if (tooMany || tooLong) {
      leave(turn);
      return busy("too many metrics wait to become durable");
    }
    put(turn);
    return turn.future();
  }

  /** Points that are not durable yet. */
  int queuedPoints() {
    return points.get();
  }

  /** The same in bytes, estimated from above. */
  long queuedBytes() {
    return bytes.get();
  }

  /** Queues work of our own, which no bound keeps out. */
  void insert(LogTask.Work<?> work) {
    LogTask<?> turn = new LogTask<>(List.of(), 0, 0, null, work);
    points.addAndGet(turn.weight());
    put(turn);
  }

  /** Called by the work of a turn: points that are new, to be announced after the sync. */
  void took(List<MetricPoint> newPoints) {
    fresh.addAll(newPoints);
  }

  /** Ends after all that is queued. */
  Future<Void> close() {
    Context home = vertx.getOrCreateContext();
    closing = true;
    insert(() -> offset -> true);
    Promise<Void> done = Promise.promise();
    released.future().onComplete(result -> home.runOnContext(go -> done.handle(result)));
    return done.future();
  }

  private void put(LogTask<?> turn) {
    queue.add(turn);
    if (ended && queue.remove(turn)) {
      turn.fail(closed());
    }
  }

  private void leave(LogTask<?> turn) {
    points.addAndGet(-turn.weight());
    bytes.addAndGet(-turn.bytes());
  }

  private void run() {
    try {
      open();
      List<LogTask<?>> group = new ArrayList<>();
      while (!closing || !queue.isEmpty()) {
        gather(group);
        commit(group);
        group.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      letGo();
    }
  }

  private void open() {
    try {
      journal.recover();
      opened.complete();
    } catch (IOException | TimeoutException | RuntimeException e) {
      broken = new Problem.Broken("cannot open the metric log: " + e.getMessage());
      opened.fail(broken.toException());
    }
  }

  private void gather(List<LogTask<?>> group) throws InterruptedException {
    long size = 0;
    for (LogTask<?> turn = queue.take(); turn != null; turn = queue.poll()) {
      group.add(turn);
      size += turn.bytes();
      if (size >= GROUP_BYTES) {
        return;
      }
    }
  }

  /** Why the log takes nothing now, null when it does; any thread may ask. */
  Problem.@Nullable Broken broken() {
    return broken;
  }

  private void commit(List<LogTask<?>> group) {
    long start = System.nanoTime();
    Problem.Broken failure = broken;
    if (failure != null && mayPass) {
      failure = writeAgain();
    }
    if (failure == null) {
      fresh.clear();
      failure = write(group);
    }
    if (failure == null && !fresh.isEmpty()) {
      watch.committed(fresh.size(), System.nanoTime() - start);
      announce();
    }
    for (LogTask<?> turn : group) {
      leave(turn);
      if (failure == null) {
        turn.complete(journal.durable());
      } else {
        turn.fail(failure);
      }
    }
    if (failure == null) {
      tidy();
    }
  }

  /** Does the work of a group and makes it durable; why not, or null. */
  private Problem.@Nullable Broken write(List<LogTask<?>> group) {
    try {
      for (LogTask<?> turn : group) {
        journal.load(turn.batches());
      }
    } catch (TimeoutException | RuntimeException e) {
      LOG.error("could not look up what attempts have reported before", e);
      return new Problem.Broken("the metric store cannot be read: " + e.getMessage());
    }
    try {
      for (LogTask<?> turn : group) {
        turn.run();
      }
    } catch (IOException | RuntimeException e) {
      return breakDown(e);
    }
    try {
      journal.sync();
      return null;
    } catch (IOException e) {
      return fault(e);
    } catch (RuntimeException e) {
      return breakDown(e);
    }
  }

  /**
   * The disk took nothing. Those who wait are told so; what they brought stays in the frame, which
   * comes first when there is room again, and is then known to be theirs when they repeat it.
   */
  private Problem.Broken fault(IOException e) {
    Problem.Broken problem =
        new Problem.Broken(
            "the metric log cannot be written: " + FileFault.words(e) + "; it is tried again");
    if (broken == null) {
      LOG.error("{}", problem.detail());
    }
    mayPass = true;
    broken = problem;
    return problem;
  }

  /** Writes the failed frame again; returns the failure, or null. */
  private Problem.@Nullable Broken writeAgain() {
    try {
      journal.syncAgain();
    } catch (IOException e) {
      return fault(e);
    } catch (RuntimeException e) {
      return breakDown(e);
    }
    LOG.info("the metric log can be written again");
    broken = null;
    mayPass = false;
    if (!fresh.isEmpty()) {
      announce();
    }
    return null;
  }

  private void announce() {
    try {
      stored.accept(List.copyOf(fresh));
    } catch (RuntimeException e) {
      LOG.error("could not announce stored points to a listener", e);
    }
  }

  private void tidy() {
    try {
      journal.tidy();
    } catch (IOException e) {
      LOG.warn(
          "no new file of the metric log could be begun, the present one grows: {}", e.toString());
    } catch (RuntimeException e) {
      breakDown(e);
    }
  }

  private Problem.Broken breakDown(Exception e) {
    LOG.error("could not write the metric log, it refuses points until it is opened again", e);
    Problem.Broken problem =
        new Problem.Broken(
            "the metric log cannot be written: " + e.getMessage() + "; restart when it can");
    mayPass = false;
    broken = problem;
    return problem;
  }

  private void letGo() {
    closing = true;
    ended = true;
    for (LogTask<?> turn = queue.poll(); turn != null; turn = queue.poll()) {
      turn.fail(closed());
    }
    try {
      mover.stop();
      journal.close();
      released.complete();
    } catch (IOException e) {
      released.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      released.fail(e);
    }
  }

  private static <T> Future<T> busy(String why) {
    return Future.failedFuture(new Problem.Busy(why, RETRY_AFTER).toException());
  }

  private static Problem closed() {
    return new Problem.Broken("the metric log is closed");
  }
}
