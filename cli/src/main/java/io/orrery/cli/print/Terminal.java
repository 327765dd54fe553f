package io.orrery.cli.print;

import io.orrery.core.process.UserHome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of a command: all that it reads and writes besides the server.
 *
 * @param out for results, UTF-8
 * @param err for messages to people
 * @param environment the variables
 * @param directory relative paths start here
 * @param clock for relative times
 * @param interactive whether a person watches {@code err}: then progress may be redrawn
 * @param prompt asks that person, whatever the streams lead to
 * @param screen whether {@code out} is a terminal that understands escape sequences
 */
public record Terminal(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path directory,
    InstantSource clock,
    boolean interactive,
    Prompt prompt,
    boolean screen) {
  private static final int USUAL_WIDTH = 80;
  private static final int USUAL_HEIGHT = 24;

  /** One whose {@code out} is no screen. */
  public Terminal(
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      Path directory,
      InstantSource clock,
      boolean interactive,
      Prompt prompt) {
    this(out, err, environment, directory, clock, interactive, prompt, false);
  }

  /**
   * The terminal of this process. Java can tell only whether stdin and stdout together are one, so
   * whether stderr and stdout are comes from the launcher script, as {@code orrery.terminal} and
   * {@code orrery.screen}.
   */
  public static Terminal system() {
    Map<String, String> environment = System.getenv();
    boolean able = !"dumb".equals(environment.get("TERM"));
    return new Terminal(
        new StandardOutput(),
        AsciiFallback.over(System.err),
        environment,
        Path.of("").toAbsolutePath(),
        InstantSource.system(),
        Boolean.getBoolean("orrery.terminal") && able,
        new ControllingTerminal(),
        Boolean.getBoolean("orrery.screen") && able);
  }

  /** Whether stdout is in colour: on a screen, unless $NO_COLOR is set (no-color.org). */
  public boolean colour() {
    return screen && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** The colours of what is printed to stdout. */
  public Style style() {
    return new Style(colour());
  }

  /** The same, with another stdout. */
  public Terminal printingTo(PrintStream other) {
    return new Terminal(other, err, environment, directory, clock, interactive, prompt, screen);
  }

  /** A message to people, after the program's name. */
  public void say(String message) {
    err.println("orrery: " + message);
  }

  /**
   * Why results could not be written, in words; null when all were, or when the reader has gone, as
   * {@code head} does when it has enough.
   */
  public @Nullable String outputFailure() {
    if (!out.checkError()) {
      return null;
    }
    IOException failure = out instanceof StandardOutput standard ? standard.failure() : null;
    String why = failure == null ? "it cannot be written" : String.valueOf(failure.getMessage());
    return why.contains("Broken pipe") ? null : "standard output: " + why;
  }

  /**
   * Where the server keeps its files: {@code $ORRERY_HOME}, else {@code ~/.orrery}, where {@code ~}
   * is what it is to a shell.
   */
  public Path home() {
    String home = environment.get("ORRERY_HOME");
    return home == null || home.isEmpty()
        ? UserHome.of(environment).resolve(".orrery")
        : directory.resolve(home).normalize();
  }

  /** How many characters fit in a line: {@code $COLUMNS}, else what the terminal says, else 80. */
  public int columns() {
    return size("COLUMNS", 1, USUAL_WIDTH);
  }

  /** How many lines fit on the screen: {@code $LINES}, else what the terminal says, else 24. */
  public int rows() {
    return size("LINES", 0, USUAL_HEIGHT);
  }

  private int size(String variable, int place, int usual) {
    String given = environment.getOrDefault(variable, "");
    if (given.matches("[1-9][0-9]{0,3}")) {
      return Integer.parseInt(given);
    }
    return interactive ? asked(place, usual) : usual;
  }

  /** Whether the characters of a text reach the screen as they are. */
  public boolean shows(String text) {
    return err.charset().newEncoder().canEncode(text);
  }

  private static int asked(int place, int usual) {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Path.of("/dev/tty").toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String[] size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ");
      boolean ended = stty.waitFor(1, TimeUnit.SECONDS);
      return ended && size.length == 2 && size[place].matches("[1-9][0-9]{0,3}")
          ? Integer.parseInt(size[place])
          : usual;
    } catch (IOException e) {
      return usual;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return usual;
    }
  }
}
