package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TokenSecretTest {
  private static final ResourceType JOB = new ResourceType("batch", "v1", "Job", "jobs");

  private final List<List<String>> made = new ArrayList<>();
  private final TokenSecret secret =
      new TokenSecret(
          "a", holders -> made.add(holders.stream().map(TokenHolder::key).sorted().toList()));

  @Test
  void itIsMadeOnceWithTheLastJob() throws Exception {
    assertThat(secret.join()).isTrue();
    assertThat(secret.join()).isTrue();
    assertThat(secret.join()).isTrue();
    secret.leave();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> first = threads.submit(() -> put("a"));
      Future<?> second = threads.submit(() -> put("b"));
      first.get();
      second.get();
    }

    assertThat(made).containsExactly(List.of("a", "b"));
  }

  @Test
  void noTenantJoinsAfterTheFirstJob() {
    assertThat(secret.join()).isTrue();
    secret.leave();

    assertThat(secret.join()).isFalse();
    assertThat(made).as("without tokens there is none").isEmpty();
  }

  @Test
  void allAreToldWhyItCouldNotBeMade() {
    TokenSecret refused =
        new TokenSecret(
            "a",
            holders -> {
              throw new IllegalStateException("no");
            });
    assertThat(refused.join()).isTrue();

    assertThatThrownBy(() -> refused.put(holder("a"))).hasMessage("no");
    assertThatThrownBy(() -> refused.put(holder("b"))).hasMessage("no");
  }

  @Test
  void aTokenIsNotInItsWords() {
    assertThat(holder("a").toString()).contains("a").doesNotContain("token-of");
  }

  private Void put(String job) throws Exception {
    secret.put(holder(job));
    return null;
  }

  private static TokenHolder holder(String job) {
    ObjectNode metadata = Json.MAPPER.createObjectNode().put("name", job).put("uid", "1");
    return new TokenHolder("token-of-" + job, JOB, metadata);
  }
}
