package io.orrery.core.sql;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * A durable SQL store. Writes are whole lists of statements, never conversations: the writer knows
 * its state in memory, and lists can be grouped into one commit. All futures complete on the
 * context that asked.
 */
public interface Store {
  /** Which SQL is spoken here. */
  Engine engine();

  /**
   * Runs statements in their order, all or none.
   *
   * <p>Writes are applied in the order in which they were handed in, and their futures complete in
   * that order.
   *
   * @return completes when the write survives a power cut; fails with {@link
   *     io.orrery.core.problem.Problem.Busy} when the queue is full (nothing was taken), with
   *     {@link io.orrery.core.problem.Problem.Conflict} when a statement touched another number of
   *     rows than it expected, with Broken otherwise; a failed write leaves no trace and does not
   *     disturb its neighbours
   */
  Future<Void> write(List<Statement> statements);

  /**
   * Reads rows of the committed state, in one short transaction.
   *
   * @param each turns a row into a value; called on a thread of the store
   */
  <T> Future<List<T>> read(Statement query, Function<Row, T> each);

  /**
   * Whether it can be written. Costs nothing while it could the last time; else a write is tried.
   *
   * @return fails with why not
   */
  Future<Void> probe();

  /** The writes that wait; nothing where none is counted. */
  default Backlog backlog() {
    return new Backlog(0, 0);
  }

  /**
   * The queue of writes.
   *
   * @param most that may wait: one more is refused; 0 when none is counted
   */
  record Backlog(int waiting, int most) {}

  /** Finishes what was handed in, then releases everything. */
  Future<Void> close();
}
