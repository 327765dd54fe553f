package io.orrery.router.proxy;

import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.route.ClientLimits;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one exchange that wait in the router: of the answer for the client, of the body for
 * the endpoint. It counts them against the budgets, and pauses who sends them while there are too
 * many. Belongs to one event loop.
 */
final class Backlog implements MemoryBudget.Owner {
  /** A sender that can be paused. */
  interface Source {
    void pause();

    void resume();
  }

  private final MemoryBudget.Stream memory;
  private final Runnable cut;
  private final Side answer = new Side();
  private final Side body = new Side();
  private long ofRequest;

  /** A direction of the exchange: its sender, and how much of it waits. */
  private static final class Side {
    private @Nullable Source source;
    private boolean paused;
    private long waiting;
  }

  /**
   * @param cut cuts the client off without waiting for it
   */
  Backlog(MemoryBudget.Connection connection, Runnable cut) {
    this.memory = connection.stream(this);
    this.cut = cut;
  }

  /** The sender of the answer. */
  void answers(Source endpoint) {
    answer.source = endpoint;
  }

  /** The sender of the body. */
  void sends(Source client) {
    body.source = client;
  }

  /** Whether the sender of the body is paused. */
  boolean holdsBody() {
    return body.paused;
  }

  /** So many bytes of the request are kept until the exchange is over. */
  void keep(long bytes) {
    ofRequest += bytes;
    memory.keep(bytes);
  }

  /** A piece of the answer is on its way to the client. */
  void toClient(int bytes, Future<Void> written) {
    if (written.isComplete()) {
      return;
    }
    memory.hold(bytes);
    answer.waiting += bytes;
    written.onComplete(done -> {
      answer.waiting -= bytes;
      memory.taken(bytes);
      goOn(answer);
    });
    pauseWhenFull(answer);
  }

  /** A piece of the body is on its way to the endpoint. */
  void toEndpoint(int bytes, Future<Void> written) {
    if (written.isComplete()) {
      return;
    }
    memory.keep(bytes);
    body.waiting += bytes;
    written.onComplete(done -> {
      body.waiting -= bytes;
      memory.keep(-bytes);
      goOn(body);
    });
    pauseWhenFull(body);
  }

  private void pauseWhenFull(Side side) {
    Source source = side.source;
    if (source != null && !side.paused && isFull(side)) {
      side.paused = true;
      source.pause();
    }
  }

  private boolean isFull(Side side) {
    return side.waiting >= ClientLimits.STREAM || !memory.hasRoom();
  }

  private void goOn(Side side) {
    Source source = side.source;
    if (source != null && side.paused && !isFull(side)) {
      side.paused = false;
      source.resume();
    }
  }

  @Override
  public void resume() {
    goOn(answer);
    goOn(body);
  }

  @Override
  public void cut() {
    cut.run();
  }

  /** The exchange is over: no side is paused or resumed any more. */
  void over() {
    answer.source = null;
    body.source = null;
    memory.keep(-ofRequest);
    ofRequest = 0;
  }
}
