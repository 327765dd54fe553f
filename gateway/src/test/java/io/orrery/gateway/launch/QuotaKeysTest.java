package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.quota.QuotaResource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotaKeysTest {
  @Test
  void whatAllProjectsShareIsWrittenAsQuotasAre() {
    String file = "quota: {limits: {gpu: 8, memory: 64G}}";
    assertThat(ServerConfig.read(file, Map.of(), Map.of()).quota().limits())
        .containsOnly(Map.entry(QuotaResource.GPU, 8L), Map.entry(QuotaResource.MEMORY, 64L << 30));
    assertThatThrownBy(() -> ServerConfig.read("quota: {limits: {gpus: 8}}", Map.of(), Map.of()))
        .hasMessageContaining("the resources are cpu");
    for (String wrong : List.of("8", "{gpu: 8, member: {gpu: 1}}")) {
      assertThatThrownBy(
              () -> ServerConfig.read("quota: {limits: " + wrong + "}", Map.of(), Map.of()))
          .as(wrong)
          .hasMessageContaining("quota.limits is");
    }
  }
}
