package io.orrery.compute.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstReadyTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final FirstReady<String> gathering = new FirstReady<>();

  @Test
  void oneIsEnoughWhenTheOthersHaveHadTheirTime() throws InterruptedException {
    gathering.answered(1, null);
    assertThat(gathering.await(2, Duration.ZERO)).isEmpty();
  }

  @Test
  void oneIsEnoughWhenTheOthersDoNotCome() throws InterruptedException {
    gathering.answered(2, "no disk");
    gathering.answered(0, null);
    gathering.answered(1, "no key");
    assertThat(gathering.await(3, LONG)).isEmpty();
  }

  @Test
  void withoutAnyAllReasonsAreToldInOrder() throws InterruptedException {
    gathering.answered(1, "no key");
    gathering.answered(0, "no disk");
    assertThat(gathering.await(2, LONG)).containsExactly("no disk", "no key");
  }

  @Test
  void theFirstIsAwaited() throws InterruptedException {
    Thread late = Thread.startVirtualThread(() -> gathering.answered(0, "no disk"));
    assertThat(gathering.await(1, Duration.ZERO)).containsExactly("no disk");
    late.join();
  }
}
