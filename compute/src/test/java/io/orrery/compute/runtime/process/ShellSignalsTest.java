package io.orrery.compute.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Starts programs from a process that ignores signals, as a script's background has it. */
class ShellSignalsTest {
  /** SIGINT and SIGQUIT, as bits of {@code SigIgn} in /proc. */
  private static final long KEYS = 0b110;

  private static long ignored(String... launcher) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT QUIT; exec \"$@\"", "sh"));
    words.addAll(Arrays.asList(launcher));
    words.addAll(List.of("sed", "-n", "s/^SigIgn:\\s*//p", "/proc/self/status"));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String mask = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(mask).isZero();
    return Long.parseUnsignedLong(mask, 16) & KEYS;
  }

  @Test
  void aTerminalOfAServerThatIgnoresSignalsHasThemAsUsual() throws Exception {
    assertThat(ignored()).isEqualTo(KEYS);
    assertThat(ignored("/bin/sh", "-c", ScriptShell.WITH_SIGNALS, "shell")).isZero();
  }
}
