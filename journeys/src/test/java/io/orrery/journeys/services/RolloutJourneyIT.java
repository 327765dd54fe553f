package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Lets services take over a host from each other, and lets them rest and grow. */
class RolloutJourneyIT extends ServiceJourney {
  private static final String HOST = "digits.service.orrery.localhost";

  private ObjectNode hosted(String name, String says, int status) throws Exception {
    return saying(name, says, status).put("host", HOST);
  }

  private JsonNode domain() throws Exception {
    return server.get("/domains/" + HOST);
  }

  private Answer ofHost() throws Exception {
    URI url = URI.create(domain().get("url").textValue());
    return ask(url);
  }

  /** The answer to a document that gives its requests to others in a way that is not right. */
  private String refusal(String key, String terms) throws Exception {
    HttpResponse<String> refused =
        server.send(
            "PUT",
            path("plain"),
            BodyPublishers.ofString(saying("plain", "plain", 200).put(key, terms).toString()));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    return refused.body();
  }

  private void awaitAnswer(String says) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(ofHost().body()).isEqualTo(says));
  }

  private void awaitRollout(String state, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode rollout = domain().get("rollout");
          assertThat(rollout.get("state").textValue()).as("%s", rollout).isEqualTo(state);
          assertThat(rollout.get("reason").textValue()).contains(reason);
        });
  }

  @Test
  void aNewServiceTakesOverAHostByStepsWithoutALostRequestAndTheOldOneIsTakenOffline()
      throws Exception {
    put(hosted("digits-1", "one", 200).toString());
    awaitAnswer("one");

    try (Load load = new Load(URI.create(domain().get("url").textValue()))) {
      put(
          steps(
                  hosted("digits-2", "two", 200),
                  """
                  {"steps": [30, 100], "every": "1s", "keepWarm": "1s",
                   "gates": {"errors": "<1%", "requests": 5}}
                  """)
              .toString());
      awaitRollout("IDLE", "digits-2 has taken over");
      await()
          .atMost(PATIENCE)
          .until(() -> state("digits-1").get("status").textValue().equals("OFFLINE"));
      assertThat(load.failures).isEmpty();
    }
    assertThat(ofHost().body()).isEqualTo("two");
    assertThat(orrery("domain", "show", HOST).out())
        .contains("digits-2:100%")
        .contains("digits-2 has taken over");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void oneWithErrorsIsRolledBackAndOneThatNeverGetsReadyGetsNoRequest() throws Exception {
    put(hosted("digits-1", "one", 200).toString());
    awaitAnswer("one");

    try (Load load = new Load(URI.create(domain().get("url").textValue()))) {
      put(
          steps(
                  hosted("digits-2", "two", 500),
                  "{\"steps\": [10, 100], \"every\": \"10m\", \"gates\": {\"errors\": \"<1%\"}}")
              .toString());
      awaitRollout("ROLLED_BACK", "of its");
      assertThat(load.failures).isNotEmpty().allMatch(answer -> answer.equals("500 two"));
    }
    assertThat(domain().get("backends").toString())
        .isEqualTo("[{\"service\":\"digits-1\",\"percent\":100}]");
    assertThat(server.get("/services/digits-2").at("/state/rollout/state").textValue())
        .isEqualTo("ROLLED_BACK");

    try (Load load = new Load(URI.create(domain().get("url").textValue()))) {
      ObjectNode broken = hosted("digits-3", "three", 200);
      broken.put("command", "echo no model here; exit 3");
      put(broken.toString());
      awaitRollout("STEP", "digits-3 is not ready yet: replica 1-0: ");
      int before = load.answers.get();
      await().atMost(PATIENCE).until(() -> load.answers.get() > before + 50);
      assertThat(load.failures).isEmpty();
    }
    assertThat(orrery("domain", "abort", HOST).out()).contains("ROLLED_BACK: aborted by");
  }

  @Test
  void peopleDivideTheRequestsOfAHostAndACanaryThoseOfAService() throws Exception {
    put(hosted("digits-1", "one", 200).toString());
    awaitAnswer("one");
    put(
        steps(
                hosted("digits-2", "two", 200),
                """
                {"steps": [100], "every": "1s", "keepWarm": "10m", "gates": {"requests": 0}}
                """)
            .toString());
    awaitRollout("DONE", "digits-2 gets all requests");

    Ended wrong = orrery("domain", "split", HOST, "digits-1:60", "digits-9:20");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("digits-9 is not deployed with the host")
        .contains("the percents are 100 together, not 80");
    assertThat(orrery("domain", "split", HOST, "digits-1:100", "digits-2:0").out())
        .contains("digits-1:100%, digits-2:0%");
    awaitAnswer("one");

    put(saying("plain", "plain", 200).put("canary", "digits-2:100%").toString());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(answer("plain").body()).isEqualTo("two"));
    assertThat(refusal("canary", "digits-1:60%,digits-2:50%")).contains("/canary").contains("110");
    // A term without a colon left the original without any route.
    assertThat(refusal("canary", "digits-2")).contains("/canary").contains("digits-2");
    assertThat(refusal("shadow", "digits-2")).contains("/shadow").contains("digits-2");
    assertThat(answer("plain").body()).isEqualTo("two");

    server.post(path("digits-2") + "/clear", "");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(answer("plain").body()).isEqualTo("plain"));
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void oneThatRestsIsBegunByARequestAndGrowsWithThem() throws Exception {
    ObjectNode document = saying("sleeper", "awake", 200).put("scale", "concurrency:2");
    document.putObject("replicas").put("min", 0).put("max", 3);
    put(document.toString());
    ready("sleeper");
    server.post(path("sleeper") + "/scale", "{\"replicas\": 0}");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(state("sleeper").get("replicas")).isEmpty();
          assertThat(state("sleeper").get("reason").textValue()).contains("it rests");
        });

    URI url = URI.create(state("sleeper").get("url").textValue());
    List<Future<Answer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Answer> one = () -> ask(url);
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(one));
      }
    }
    for (Future<Answer> answer : answers) {
      assertThat(answer.get()).isEqualTo(new Answer(200, "awake"));
    }
    assertThat(server.get(path("sleeper") + "/scalings").get("items").toString())
        .contains("a request waits for it");
  }
}
