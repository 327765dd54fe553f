package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.PipelineRuns.UseOf;
import io.orrery.core.bus.contract.Pipelines.TaskAdvice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceAdviceTest {
  private static TaskAdvice advice(String resources, int runs, long megabytes, long cpuMillis) {
    String document = "{\"tasks\":[{\"name\":\"train\",\"resources\":%s}]}".formatted(resources);
    UseOf use = new UseOf("train", runs, megabytes << 20, cpuMillis);
    return ResourceAdvice.of(document, List.of(use)).getFirst();
  }

  @Test
  void lessMemoryIsSuggestedWhereMuchIsLeft() {
    TaskAdvice advice = advice("{\"memory\":\"4G\"}", 12, 310, 100);

    assertThat(advice.suggested()).isEqualTo(Map.of("memory", "512M"));
    assertThat(advice.words())
        .containsExactly("memory: asked 4G, used at most 310M in 12 runs: 512M would do");
  }

  @Test
  void theLimitOfARangeCounts() {
    assertThat(advice("{\"memory\":\"512M~8G\"}", 3, 1_500, 0).suggested())
        .isEqualTo(Map.of("memory", "4G"));
  }

  @Test
  void moreMemoryIsSuggestedWhereItIsNearlyFull() {
    assertThat(advice("{\"memory\":\"320M\"}", 5, 310, 100).words())
        .containsExactly("memory: asked 320M, used at most 310M in 5 runs: 512M would do");
  }

  @Test
  void nothingIsSuggestedWhereItFits() {
    TaskAdvice advice = advice("{\"memory\":\"512M\",\"cpu\":\"1\"}", 5, 310, 700);

    assertThat(advice.suggested()).isEmpty();
    assertThat(advice.memory()).isEqualTo(310 << 20);
  }

  @Test
  void lessCpuIsSuggestedAndNeverMore() {
    assertThat(advice("{\"cpu\":\"8\"}", 5, 310, 700).words())
        .containsExactly("cpu: asked 8, used at most 0.7 on average in 5 runs: 1.5 would do");
    assertThat(advice("{\"cpu\":\"0.5\"}", 5, 310, 700).suggested()).isEmpty();
  }

  @Test
  void fewRunsAndTasksThatAskForNothingSayNothing() {
    assertThat(advice("{\"memory\":\"4G\"}", 2, 310, 100).words()).isEmpty();
    assertThat(advice("{}", 5, 310, 100).words()).isEmpty();
  }

  @Test
  void aTaskThatIsNotThereAnyMoreIsLeftOut() {
    assertThat(ResourceAdvice.of("{\"tasks\":[]}", List.of(new UseOf("train", 5, 1, 1)))).isEmpty();
  }
}
