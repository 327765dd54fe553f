package io.orrery.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests on a real terminal, which {@code script} (util-linux) makes. */
@Timeout(60)
class ControllingTerminalIT {
  @TempDir Path directory;

  /** Asks once, and writes what was answered to a file. */
  static final class Asking {
    private Asking() {}

    public static void main(String[] file) throws IOException {
      String answer = new ControllingTerminal().ask("lab: ");
      Files.writeString(Path.of(file[0]), String.valueOf(answer));
    }
  }

  private String java() {
    return "'%s' -cp '%s' '%s' '%s'"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"),
            Asking.class.getName(),
            directory.resolve("answer"));
  }

  @Test
  void whatIsTypedIsReadAndNotShownWhereverTheStreamsLead() throws Exception {
    assumeThat(Path.of("/usr/bin/script")).as("script, of util-linux").exists();
    Process terminal =
        new ProcessBuilder(
                "/usr/bin/script",
                "-qec",
                java() + " >/dev/null </dev/null; stty -a",
                directory.resolve("typescript").toString())
            .redirectErrorStream(true)
            .start();
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    InputStream screen = terminal.getInputStream();
    while (!shown.toString(StandardCharsets.UTF_8).contains("lab: ")) {
      int next = screen.read();
      assertThat(next).as("%s", shown).isNotNegative();
      shown.write(next);
    }
    terminal.getOutputStream().write("öffne dich\n".getBytes(StandardCharsets.UTF_8));
    terminal.getOutputStream().flush();
    screen.transferTo(shown);
    assertThat(terminal.waitFor(30, TimeUnit.SECONDS)).isTrue();

    assertThat(directory.resolve("answer")).hasContent("öffne dich");
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .doesNotContain("dich")
        .as("the terminal shows again what is typed")
        .containsPattern("[ ;]echo[ ;]");
  }

  @Test
  void withoutATerminalNoUserIsAsked() throws Exception {
    assumeThat(Path.of("/usr/bin/setsid")).as("setsid, of util-linux").exists();
    Process alone =
        new ProcessBuilder("/usr/bin/setsid", "-w", "sh", "-c", java())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    assertThat(alone.waitFor(30, TimeUnit.SECONDS)).isTrue();

    assertThat(directory.resolve("said")).isEmptyFile();
    assertThat(directory.resolve("answer")).hasContent("null");
  }
}
