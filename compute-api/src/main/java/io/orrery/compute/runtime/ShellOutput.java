package io.orrery.compute.runtime;

import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The output of a shell that was not read yet, up to {@value #MOST} bytes. Thread safe. */
public final class ShellOutput {
  private static final int MOST = 64 * 1024;

  /** The longest wait of a reader. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Clock clock;
  private final Runnable room;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private @Nullable Promise<Output> reader;
  private boolean ended;
  private @Nullable Integer exitCode;
  private @Nullable String error;

  /**
   * @param room called from any thread when there is room again
   */
  public ShellOutput(Clock clock, Runnable room) {
    this.clock = clock;
    this.room = room;
  }

  /** Adds a piece; false when no more should come before there is room. */
  public boolean add(byte[] piece, int length) {
    boolean hasRoom;
    synchronized (this) {
      bytes.write(piece, 0, length);
      hasRoom = bytes.size() < MOST;
    }
    answer(false);
    return hasRoom;
  }

  /** Has a blocking source wait until there is room. */
  public synchronized void awaitRoom() throws InterruptedException {
    while (bytes.size() >= MOST && !ended) {
      wait();
    }
  }

  /**
   * Notes the end.
   *
   * @param code null when it is not known
   */
  public void end(@Nullable Integer code) {
    end(code, null);
  }

  /**
   * Notes the end of a command.
   *
   * @param code null when it is not known
   * @param words what it wrote to stderr, or why it broke off
   */
  public void end(@Nullable Integer code, @Nullable String words) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      exitCode = code;
      error = words;
      notifyAll();
    }
    answer(false);
  }

  /** Waits for output; an empty piece after some seconds. */
  public Future<Output> read() {
    Promise<Output> mine = Promise.promise();
    synchronized (this) {
      if (reader != null) {
        reader.tryComplete(new Output(new byte[0], false, null, null));
      }
      reader = mine;
    }
    answer(false);
    if (!mine.future().isComplete()) {
      clock.after(LONGEST, () -> answer(mine));
    }
    return mine.future();
  }

  private void answer(Promise<Output> late) {
    // One that was answered waits for nothing, and there is no other reader meanwhile.
    if (!late.future().isComplete()) {
      answer(true);
    }
  }

  private void answer(boolean late) {
    Promise<Output> to;
    Output output;
    synchronized (this) {
      to = reader;
      if (to == null || (bytes.size() == 0 && !ended && !late)) {
        return;
      }
      reader = null;
      output = new Output(bytes.toByteArray(), ended, exitCode, error);
      bytes.reset();
      notifyAll();
    }
    to.tryComplete(output);
    room.run();
  }
}
