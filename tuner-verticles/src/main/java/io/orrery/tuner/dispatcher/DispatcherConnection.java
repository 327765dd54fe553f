package io.orrery.tuner.dispatcher;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a dispatcher. Commands are taken by one thread at a time; everything else may be
 * done by any.
 */
public abstract sealed class DispatcherConnection implements AutoCloseable
    permits PipeLine, SocketLine {
  /** The most commands that wait to be read; a dispatcher that sends more is ended. */
  private static final int MOST_UNREAD = 100_000;

  private static final long MOST_CHARACTERS = 64L << 20;

  private sealed interface Heard {
    record Said(Command command) implements Heard {}

    record Over(String why) implements Heard {}
  }

  private final BlockingQueue<Heard> inbox = new LinkedBlockingQueue<>();

  /** The number of characters that are not read yet. */
  private final AtomicLong unread = new AtomicLong();

  /** Why nothing more will come. */
  private volatile Heard.@Nullable Over over;

  /**
   * Says something; what cannot be sent now is sent as soon as it can be.
   *
   * @throws ProblemException Broken when the dispatcher is gone for good
   */
  public abstract void send(Command command);

  /**
   * Ends it as NNI does: the dispatcher is told and gets half a minute to end by itself. Returns at
   * once.
   */
  @Override
  public abstract void close();

  /**
   * The next command; waits for it.
   *
   * @throws ProblemException Broken when there will be none, with the reason
   */
  public Command take() throws InterruptedException {
    return command(inbox.take());
  }

  /** The same, waiting no longer than that; null when nothing came. */
  public @Nullable Command take(Duration most) throws InterruptedException {
    Heard heard = inbox.poll(most.toMillis(), TimeUnit.MILLISECONDS);
    return heard == null ? null : command(heard);
  }

  private Command command(Heard heard) {
    return switch (heard) {
      case Heard.Said(Command command) -> {
        unread.addAndGet(-command.content().length());
        yield command;
      }
      case Heard.Over end -> {
        over(end.why());
        throw new Problem.Broken(end.why()).toException();
      }
    };
  }

  /** Whether the dispatcher is gone for good. */
  public boolean isOver() {
    return over != null;
  }

  /** A command came. */
  final void heard(Command command) {
    if (over != null) {
      return;
    }
    long waiting = unread.addAndGet(command.content().length());
    if (inbox.size() < MOST_UNREAD && waiting < MOST_CHARACTERS) {
      inbox.add(new Heard.Said(command));
    } else {
      over("it sent more commands than were asked for: " + inbox.size() + " wait");
      close();
    }
  }

  /** Nothing more will come. */
  final void over(String why) {
    Heard.Over end = new Heard.Over(why);
    if (over == null) {
      over = end;
    }
    inbox.add(end);
  }

  /** Throws when it is over. */
  final void check() {
    Heard.Over end = over;
    if (end != null) {
      throw new Problem.Broken(end.why()).toException();
    }
  }
}
