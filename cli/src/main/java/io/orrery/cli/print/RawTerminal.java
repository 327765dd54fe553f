package io.orrery.cli.print;

import io.orrery.core.process.Signals;
import io.orrery.core.workload.TerminalSize;
import java.io.Console;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process while every key goes to another program: nothing is echoed and no
 * key is a signal. It is as before once this is closed, and when the process ends.
 */
public final class RawTerminal implements AutoCloseable {
  private static final Path DEVICE = Path.of("/dev/tty");

  private final @Nullable String before;
  private final Thread restore = new Thread(this::restore);

  private RawTerminal(@Nullable String before) {
    this.before = before;
  }

  /**
   * Takes the terminal over, if stdin and stdout are one.
   *
   * @param sizes told of its size, now and when it has changed
   */
  // It is null again without a terminal, since JDK 25.
  @SuppressWarnings("SystemConsoleNull")
  public static RawTerminal open(Consumer<TerminalSize> sizes) {
    Console console = System.console();
    String before = console != null && console.isTerminal() ? stty("-g") : null;
    RawTerminal raw = new RawTerminal(before);
    if (before != null) {
      Runtime.getRuntime().addShutdownHook(raw.restore);
      stty("raw", "-echo");
      tell(sizes);
      Signals.on("WINCH", () -> tell(sizes));
    }
    return raw;
  }

  private static void tell(Consumer<TerminalSize> sizes) {
    String[] size = String.valueOf(stty("size")).split(" ");
    try {
      sizes.accept(new TerminalSize(Integer.parseInt(size[1]), Integer.parseInt(size[0])));
    } catch (IllegalArgumentException | IndexOutOfBoundsException unknown) {
      // A terminal that has no size.
    }
  }

  /** Whether there is a terminal. */
  public boolean isTerminal() {
    return before != null;
  }

  private static @Nullable String stty(String... settings) {
    try {
      List<String> line = new ArrayList<>(List.of("stty"));
      line.addAll(List.of(settings));
      Process stty =
          new ProcessBuilder(line)
              .redirectInput(DEVICE.toFile())
              .redirectError(Redirect.DISCARD)
              .start();
      String text =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0 ? text : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private void restore() {
    if (before != null) {
      stty(before);
    }
  }

  @Override
  public void close() {
    restore();
    if (before != null) {
      Runtime.getRuntime().removeShutdownHook(restore);
    }
  }
}
