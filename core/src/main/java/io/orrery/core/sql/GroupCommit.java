package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer thread that drains a bounded queue into one transaction, because durability costs one
 * fsync whatever is in the commit: while it waits for the disk, the next commit gathers. One thread
 * also keeps the order of writes, and lets an engine be written as a plain sequence of steps that
 * wait.
 */
final class GroupCommit {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /** Most writes that may wait, unless a test wants fewer. */
  static final int QUEUE_LIMIT = 10_000;

  /** Writes in one commit; bounds how long the first of them waits for the last. */
  private static final int GROUP_LIMIT = 1_000;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** The operations on the database, which only the thread of the group commit calls. */
  interface Committer {
    /**
     * Applies writes in their order and commits them together; each stands or falls alone.
     *
     * @return for each write its failure, or null when it is durable
     */
    List<@Nullable Throwable> commit(List<List<Statement>> group);

    /** Called when nothing was handed in for as long as {@link #restlessAfter}. */
    default void idle() {}

    /** How long there may be nothing to do before {@link #idle} is called; zero for ever. */
    default Duration restlessAfter() {
      return Duration.ZERO;
    }

    /** Releases the database; nothing is called after it. */
    void close();
  }

  private record Write(List<Statement> statements, Promise<Void> promise, Context home) {}

  private final Vertx vertx;
  private final Committer committer;
  private final int queueLimit;
  private final Queue<Write> queue = new ArrayDeque<>();
  private final Promise<Void> drained = Promise.promise();
  private boolean closing;

  private GroupCommit(Vertx vertx, int queueLimit, Committer committer) {
    this.vertx = vertx;
    this.committer = committer;
    this.queueLimit = queueLimit;
  }

  /**
   * Starts the thread.
   *
   * @param name of the thread
   * @param queueLimit most writes that may wait
   */
  static GroupCommit start(Vertx vertx, String name, int queueLimit, Committer committer) {
    GroupCommit writes = new GroupCommit(vertx, queueLimit, committer);
    Thread thread = new Thread(writes::drain, name);
    thread.setDaemon(true);
    thread.start();
    return writes;
  }

  /** What every call is answered with after the close. */
  static Problem closed() {
    return new Problem.Broken("the store is closed");
  }

  /** See {@link Store#write}. */
  Future<Void> write(List<Statement> statements) {
    Write write = new Write(List.copyOf(statements), Promise.promise(), vertx.getOrCreateContext());
    synchronized (queue) {
      if (closing) {
        return Future.failedFuture(closed().toException());
      }
      if (queue.size() >= queueLimit) {
        return Future.failedFuture(
            new Problem.Busy("the store has " + queueLimit + " writes waiting", RETRY_AFTER)
                .toException());
      }
      queue.add(write);
      queue.notifyAll();
    }
    return write.promise().future();
  }

  Store.Backlog backlog() {
    synchronized (queue) {
      return new Store.Backlog(queue.size(), queueLimit);
    }
  }

  boolean closing() {
    synchronized (queue) {
      return closing;
    }
  }

  /**
   * Takes no more writes. None slips in behind the last commit.
   *
   * @return completes when all that were taken are done and the committer has let go
   */
  Future<Void> close() {
    synchronized (queue) {
      closing = true;
      queue.notifyAll();
    }
    return drained.future();
  }

  private void drain() {
    boolean more = true;
    while (more) {
      List<Write> group = new ArrayList<>();
      more = take(group);
      try {
        if (!group.isEmpty()) {
          commit(group);
        } else if (more) {
          committer.idle();
        }
      } catch (RuntimeException e) {
        LOG.error("a commit went wrong", e);
        group.forEach(write -> complete(write, e));
      }
    }
    committer.close();
    drained.complete();
  }

  /** Waits for writes and takes them; none when there was nothing for a while. */
  private boolean take(List<Write> group) {
    synchronized (queue) {
      if (queue.isEmpty() && !closing) {
        try {
          queue.wait(committer.restlessAfter().toMillis());
        } catch (InterruptedException e) {
          LOG.debug("woken up", e);
        }
      }
      while (!queue.isEmpty() && group.size() < GROUP_LIMIT) {
        group.add(queue.remove());
      }
      return !(closing && queue.isEmpty());
    }
  }

  private void commit(List<Write> group) {
    List<@Nullable Throwable> outcomes =
        committer.commit(group.stream().map(Write::statements).toList());
    for (int i = 0; i < group.size(); i++) {
      complete(group.get(i), outcomes.get(i));
    }
  }

  private static void complete(Write write, @Nullable Throwable failure) {
    write
        .home()
        .runOnContext(go -> {
          if (failure == null) {
            write.promise().tryComplete();
          } else {
            write.promise().tryFail(failure);
          }
        });
  }
}
