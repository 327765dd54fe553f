package io.orrery.cli.experiment;

import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

/** A picture that is drawn over itself until Ctrl-C; where stdout is no screen, drawn once. */
final class LiveScreen {
  private static final String HOME = "\u001b[H";
  private static final String CLEAR = "\u001b[2J";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private LiveScreen() {}

  /** A picture that is drawn again and again. */
  @FunctionalInterface
  interface Picture {
    /** Prints to the terminal that it is given; false when nothing more will change. */
    boolean draw(Terminal terminal);
  }

  /** Draws. */
  static void show(
      Terminal terminal, Supplier<Interrupts> takeOver, Duration pause, Picture picture) {
    if (!terminal.screen()) {
      picture.draw(terminal);
      return;
    }
    Interrupts interrupts = takeOver.get();
    terminal.out().print(CLEAR);
    boolean more;
    do {
      ByteArrayOutputStream drawn = new ByteArrayOutputStream();
      more =
          picture.draw(terminal.printingTo(new PrintStream(drawn, false, StandardCharsets.UTF_8)));
      String text = drawn.toString(StandardCharsets.UTF_8);
      terminal.out().print(HOME + text.replace("\n", REST_OF_LINE + "\n") + REST_OF_SCREEN);
      terminal.out().flush();
    } while (more && interrupts.pause(pause) == 0);
  }
}
