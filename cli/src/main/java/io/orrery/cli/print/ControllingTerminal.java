package io.orrery.cli.print;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that this process was started from, wherever its streams lead: {@code id=$(orrery
 * experiment create exp.yml)} can ask as well. Java's console needs stdin and stdout for that.
 */
final class ControllingTerminal implements Prompt {
  private static final Path DEVICE = Path.of("/dev/tty");

  @Override
  public @Nullable String ask(String question) {
    Thread shown = new Thread(() -> stty("echo"));
    try (RandomAccessFile terminal = new RandomAccessFile(DEVICE.toFile(), "rw")) {
      // Ctrl-C while a user types must not leave a terminal that shows nothing.
      Runtime.getRuntime().addShutdownHook(shown);
      try {
        if (!stty("-echo")) {
          return null;
        }
        terminal.write(question.getBytes(StandardCharsets.UTF_8));
        // Byte by byte, each as a character: so what follows the line is left to who reads next.
        String line = terminal.readLine();
        terminal.write('\n');
        return line == null
            ? null
            : new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      } finally {
        stty("echo");
        Runtime.getRuntime().removeShutdownHook(shown);
      }
    } catch (IOException | IllegalStateException unanswered) {
      // There is no terminal, or the process is ending.
      return null;
    }
  }

  private static boolean stty(String setting) {
    try {
      Process stty =
          new ProcessBuilder("stty", setting)
              .redirectInput(DEVICE.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
