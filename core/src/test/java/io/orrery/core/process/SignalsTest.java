package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void saysThatThereIsNoSuchSignal() {
    assertThat(Signals.on("NONE", () -> {})).isFalse();
  }
}
