package io.orrery.tuner.dispatcher;

import io.orrery.core.problem.ProblemException;
import io.orrery.tuner.python.Child;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket, which may break and be opened again: what is said meanwhile waits. The owner of the
 * socket tells what happens to it, and how long a dispatcher that has gone is waited for.
 */
public final class SocketLine extends DispatcherConnection {
  private static final int MOST_UNSENT = 100_000;

  private final Command.Spelling spelling;
  private final Deque<String> unsent = new ArrayDeque<>();
  private @Nullable Socket socket;
  private @Nullable Child child;

  /** The part of a WebSocket that a line needs; nothing of it blocks. */
  public interface Socket {
    /** Sends a message. */
    void tell(String message);

    /** Closes it, after all that was told. */
    void part();
  }

  public SocketLine(Command.Spelling spelling) {
    this.spelling = spelling;
  }

  /** The dispatcher is a child of ours: when it ends, the line does, and the other way round. */
  synchronized void liveWith(Child started) {
    child = started;
    Thread.ofVirtual()
        .name("orrery-dispatcher-" + started.pid())
        .start(() -> {
          try {
            over(started.awaitEnd());
          } catch (InterruptedException e) {
            started.end();
          }
        });
  }

  /** The dispatcher has come, or come back. */
  public synchronized void connected(Socket opened) {
    socket = opened;
    while (!unsent.isEmpty()) {
      opened.tell(unsent.remove());
    }
  }

  /** The socket is closed; it may come back. */
  public synchronized void disconnected() {
    socket = null;
  }

  public synchronized boolean isConnected() {
    return socket != null;
  }

  /** A message came. */
  public void heard(String message) {
    try {
      Command command = Command.read(message);
      switch (command.type()) {
        case Command.NOTHING -> {}
        case Command.BYE -> over("the dispatcher has closed the connection");
        default -> heard(command);
      }
    } catch (ProblemException e) {
      over(Objects.requireNonNullElse(e.getMessage(), "it sent no command"));
    }
  }

  /** It does not come back. */
  public void gone(String why) {
    over(why);
  }

  @Override
  public synchronized void send(Command command) {
    check();
    post(command.message(spelling));
  }

  private synchronized void post(String message) {
    Socket open = socket;
    if (open != null) {
      open.tell(message);
    } else if (unsent.size() < MOST_UNSENT) {
      unsent.add(message);
    } else {
      over("it does not come back, and " + MOST_UNSENT + " commands wait for it");
    }
  }

  @Override
  public synchronized void close() {
    Socket open = socket;
    if (open != null) {
      open.tell(new Command(Command.TERMINATE, "").message(spelling));
      if (spelling == Command.Spelling.OBJECT) {
        open.tell(new Command(Command.BYE, "").message(spelling));
      }
      open.part();
    }
    over("the dispatcher was told to go");
    if (child != null) {
      Farewell.to(child);
    }
  }
}
