package io.orrery.tuner.dispatcher;

import io.orrery.core.problem.ProblemException;
import io.orrery.tuner.python.Child;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection over two pipes to a child, for NNI before 2.8. Each command is two letters, the
 * number of bytes in 14 digits, and so many bytes of UTF-8.
 */
public final class PipeLine extends DispatcherConnection {
  private static final int HEAD = 16;
  private static final long LONGEST = 64L << 20;

  private final Child child;
  private final OutputStream out;

  /** Listens at once. */
  public PipeLine(Child child) {
    this.child = child;
    this.out = child.input();
    Thread.ofPlatform()
        .name("orrery-dispatcher-" + child.pid())
        .daemon()
        .start(() -> listen(child.output()));
  }

  @Override
  public synchronized void send(Command command) {
    check();
    try {
      out.write(frame(command));
      out.flush();
    } catch (IOException gone) {
      // How it went is what it is heard to have ended with.
    }
  }

  @Override
  public void close() {
    try {
      send(new Command(Command.TERMINATE, ""));
    } catch (ProblemException gone) {
      // Then no process is there to be told.
    }
    Farewell.to(child);
  }

  static byte[] frame(Command command) {
    byte[] content = command.content().getBytes(StandardCharsets.UTF_8);
    byte[] head =
        String.format(Locale.ROOT, "%s%014d", command.type(), content.length)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] frame = new byte[head.length + content.length];
    System.arraycopy(head, 0, frame, 0, head.length);
    System.arraycopy(content, 0, frame, head.length, content.length);
    return frame;
  }

  /** The next frame; EOFException at the end. */
  static Command read(InputStream in) throws IOException {
    byte[] head = in.readNBytes(HEAD);
    if (head.length < HEAD) {
      throw new EOFException();
    }
    String text = new String(head, StandardCharsets.US_ASCII);
    if (!text.matches("[A-Z]{2}\\d{14}")) {
      throw new IOException("it sent '" + text + "', which begins no command");
    }
    long length = Long.parseLong(text.substring(2));
    if (length > LONGEST) {
      throw new IOException("it sent a command of " + length + " bytes");
    }
    byte[] content = in.readNBytes((int) length);
    if (content.length < length) {
      throw new EOFException();
    }
    return new Command(text.substring(0, 2), new String(content, StandardCharsets.UTF_8));
  }

  private void listen(InputStream stream) {
    String end;
    try (InputStream in = new BufferedInputStream(stream)) {
      while (true) {
        heard(read(in));
      }
    } catch (EOFException e) {
      end = "";
    } catch (IOException e) {
      end = String.valueOf(e.getMessage());
      child.end();
    }
    try {
      String process = child.awaitEnd();
      over(end.isEmpty() ? process : end);
    } catch (InterruptedException e) {
      over("its process was ended");
    }
  }
}
