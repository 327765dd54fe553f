package io.orrery.journeys.experiments;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments that are to have the same name, all created in the same moment. */
class OneNameIT {
  private static final int ALL = 16;

  @TempDir Path temp;

  private static String config(int concurrency) {
    return """
    trialCommand: sleep 60
    trialCodeDirectory: .
    trialConcurrency: %d
    maxTrialNumber: 100
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random}
    trainingService: {platform: simulated, objective: x}
    """
        .formatted(concurrency);
  }

  @Test
  void oneIsThereAndTheOthersAreRefused() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
        ExecutorService clients = Executors.newFixedThreadPool(ALL)) {
      List<Future<HttpResponse<String>>> asked = new ArrayList<>();
      for (int i = 1; i <= ALL; i++) {
        String config = config(i);
        asked.add(
            clients.submit(() ->
                server.send(
                    "POST",
                    "/experiments?id=twin&base=" + temp.toAbsolutePath(),
                    BodyPublishers.ofString(config))));
      }
      List<HttpResponse<String>> answers = new ArrayList<>();
      for (Future<HttpResponse<String>> answer : asked) {
        answers.add(answer.get());
      }

      assertThat(answers.stream().collect(groupingBy(HttpResponse::statusCode, counting())))
          .as(answers.stream().map(HttpResponse::body).toList().toString())
          .isEqualTo(Map.of(201, 1L, 409, ALL - 1L));
      HttpResponse<String> created =
          answers.stream().filter(answer -> answer.statusCode() == 201).findFirst().orElseThrow();
      assertThat(server.get("/experiments/twin").get("trialConcurrency"))
          .isEqualTo(Json.parse(created.body()).get("trialConcurrency"));
    }
  }
}
