package io.orrery.compute.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {
  @Test
  void pagesThatProcessesShareCountOnce() throws Exception {
    Process one = new ProcessBuilder("sleep", "60").start();
    Process two = new ProcessBuilder("sleep", "60").start();
    try {
      List<Long> both = List.of(one.pid(), two.pid());
      assertThat(ProcessUsage.proportional(both))
          .isPositive()
          .isLessThan(ProcessUsage.of(both).memory());
    } finally {
      one.destroyForcibly().waitFor();
      two.destroyForcibly().waitFor();
    }
  }

  @Test
  void aProcessThatIsOverHasNone() throws Exception {
    Process over = new ProcessBuilder("true").start();
    over.waitFor();
    assertThat(ProcessUsage.proportional(List.of(over.pid()))).isZero();
    assertThat(ProcessUsage.of(List.of(over.pid())).memory()).isZero();
  }
}
