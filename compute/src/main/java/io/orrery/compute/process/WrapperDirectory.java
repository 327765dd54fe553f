package io.orrery.compute.process;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The directory through which a {@link Wrapper} and the server exchange files. */
public record WrapperDirectory(Path path) {
  private static final Pattern STATE = Pattern.compile("(\\d{1,3})\\s*\\n");

  private static final int SHORT = 1_024;

  /**
   * The end of the command.
   *
   * @param exitCode as the shell gives it: 128 + n after signal n
   * @param at milliseconds since the epoch
   */
  public record State(int exitCode, long at) {}

  /** The claims of wrappers and servers on this run. */
  public LaunchClaims claims() {
    return new LaunchClaims(path);
  }

  /** The end that the wrapper wrote; null while it has not, or not to the end of the line. */
  public @Nullable State state() throws IOException {
    Path file = path.resolve("state");
    FileTime at = changed(file);
    if (at == null) {
      return null;
    }
    String text = shortText(file);
    Matcher state = STATE.matcher(text == null ? "" : text);
    return state.matches() ? new State(Integer.parseInt(state.group(1)), at.toMillis()) : null;
  }

  /** When a file was changed last, to the millisecond; null when there is none. */
  static @Nullable FileTime changed(Path file) {
    long at = file.toFile().lastModified();
    return at == 0 ? null : FileTime.fromMillis(at);
  }

  /**
   * Reads a file of a line or so; null when there is none. Without a channel, which for so little
   * costs more than the reading.
   */
  static @Nullable String shortText(Path file) throws IOException {
    if (!file.toFile().isFile()) {
      // Opening a FIFO would wait for a writer.
      return null;
    }
    try (InputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readNBytes(SHORT), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      if (Files.exists(file)) {
        throw e;
      }
      return null;
    }
  }
}
