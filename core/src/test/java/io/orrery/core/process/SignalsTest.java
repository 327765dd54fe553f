package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalsTest {
  @Test
  void runsTheActionInsteadOfWhatTheSignalWouldDo() throws Exception {
    Semaphore arrived = new Semaphore(0);
    assertThat(Signals.on("USR2", arrived::release)).isTrue();
    for (int i = 0; i < 2; i++) {
      new ProcessBuilder("kill", "-USR2", Long.toString(ProcessHandle.current().pid()))
          .start()
          .waitFor();
      assertThat(arrived.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** E10: Java leaves a signal ignored that was ignored when it was started, as nohup has it. */
  @Test
  void saysThatTheSignalIsIgnored() throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "trap '' HUP; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Asks.class.getName())
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .isEqualTo("HUP false, USR2 true\n");
  }

  /** A process that takes signals over. */
  static final class Asks {
    private Asks() {}

    public static void main(String[] arguments) {
      System.out.printf(
          "HUP %s, USR2 %s%n", Signals.on("HUP", () -> {}), Signals.on("USR2", () -> {}));
    }
  }

  @Test
  void saysThatThereIsNoSuchSignal() {
    assertThat(Signals.on("NONE", () -> {})).isFalse();
  }
}
