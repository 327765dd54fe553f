package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Lets a changed service take over from its earlier generation by steps. */
class UpgradeJourneyIT extends ServiceJourney {
  private static final String STEPS =
      """
      {"steps": [30, 100], "every": "1s", "keepWarm": "1s",
       "gates": {"errors": "<1%", "requests": 5}}
      """;

  /** Steps that end by a command alone. */
  private static final String HELD =
      """
      {"steps": [50, 100], "every": "1h", "keepWarm": "1h", "gates": {"requests": 0}}
      """;

  private void awaitRollout(String state, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode rollout = state("hello").get("rollout");
          assertThat(rollout.path("state").asText()).as("%s", rollout).isEqualTo(state);
          assertThat(rollout.get("reason").textValue()).contains(reason);
        });
  }

  @Test
  void aChangedServiceTakesOverByStepsWithoutALostRequest() throws Exception {
    put(steps(saying("hello", "one", 200), STEPS).toString());
    ready("hello");

    try (Load load = new Load("hello")) {
      put(steps(saying("hello", "two", 200), STEPS).toString());
      awaitRollout("IDLE", "generation 2 of hello has taken over");
      assertThat(ready("hello").at("/replicas/0/id").textValue()).isEqualTo("2-0");
      assertThat(load.failures).isEmpty();
    }
    assertThat(answer("hello").body()).isEqualTo("two");
    assertThat(server.get("/services/hello/events").toString()).contains("1-0");
  }

  @Test
  void oneWithErrorsIsReplacedByTheRevisionBefore() throws Exception {
    put(steps(saying("hello", "one", 200), STEPS).toString());
    ready("hello");

    try (Load load = new Load("hello")) {
      put(steps(saying("hello", "two", 500), STEPS.replace("1s", "1h")).toString());
      awaitRollout("ROLLED_BACK", "of its");
      assertThat(load.failures).isNotEmpty().allMatch(answer -> answer.equals("500 two"));
    }
    JsonNode state = ready("hello");
    assertThat(state.at("/replicas/0/id").textValue()).isEqualTo("3-0");
    assertThat(state.get("revision").longValue()).isEqualTo(1);
    assertThat(answer("hello").body()).isEqualTo("one");
    assertThat(orrery("service", "show", "hello").out())
        .contains("revision 2 of")
        .contains("rollout ROLLED_BACK: ");
    assertThat(orrery("service", "abort", "hello").err())
        .contains("No upgrade of hello is under way");
  }

  @Test
  void aShareOutlivesAKilledServerAndEndsByACommand() throws Exception {
    put(steps(saying("hello", "one", 200), HELD).toString());
    ready("hello");
    put(steps(saying("hello", "two", 200), HELD).toString());
    awaitRollout("STEP", "step 1 of 2: generation 2 of hello gets 50 %");
    awaitBoth();

    server.kill();
    begin();
    awaitRollout("STEP", "step 1 of 2: generation 2 of hello gets 50 %");
    awaitBoth();
    assertThat(state("hello").get("replicas")).hasSize(2);

    assertThat(orrery("service", "promote", "hello").out()).contains("rollout DONE: promoted by");
    await()
        .atMost(PATIENCE)
        .until(() -> {
          for (int i = 0; i < 20; i++) {
            if (!answer("hello").body().equals("two")) {
              return false;
            }
          }
          return true;
        });
    assertThat(state("hello").get("replicas")).as("kept warm").hasSize(2);
    assertThat(orrery("service", "abort", "hello").out()).contains("ROLLED_BACK: aborted by");
    await().atMost(PATIENCE).until(() -> answer("hello").body().equals("one"));
    assertThat(ready("hello").at("/replicas/0/id").textValue()).isEqualTo("3-0");
  }

  private void awaitBoth() {
    Set<String> said = ConcurrentHashMap.newKeySet();
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> {
          said.add(answer("hello").body());
          return said.equals(Set.of("one", "two"));
        });
  }
}
