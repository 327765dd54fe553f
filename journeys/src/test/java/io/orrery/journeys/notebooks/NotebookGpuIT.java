package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.journeys.ServerUsers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notebooks and trials that share the GPUs of one machine, whose nvidia-smi knows of two. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NotebookGpuIT extends NotebookJourney {
  private StandInSmi smi;

  @Override
  String configuration() throws Exception {
    smi = new StandInSmi(temp.resolve("smi"));
    smi.devices(
        "0, 00000000:07:00.0, 40960, NVIDIA A100\n1, 00000000:0F:00.0, 40960, NVIDIA A100\n");
    return "auth: {users: true, sandbox: none}\n";
  }

  @Override
  Map<String, String> environment() {
    return Map.of("PATH", temp.resolve("smi") + ":" + System.getenv("PATH"));
  }

  /** Begins an experiment of one trial that needs two GPUs; its id. */
  private String experiment() throws Exception {
    Path code = Files.createDirectories(temp.resolve("home/workspaces/ann/code"));
    Files.writeString(code.resolve("trial.sh"), "echo \"gpus $CUDA_VISIBLE_DEVICES\" >seen\n");
    ServerUsers.Reply made =
        users.send(
            ann,
            "POST",
            "/api/v1/experiments?project=vision",
            """
            {"trialCommand": "sh trial.sh", "trialCodeDirectory": "/mnt/ann/code",
             "trialConcurrency": 1, "trialGpuNumber": 2, "maxTrialNumber": 1,
             "searchSpace": {"x": {"_type": "uniform", "_value": [0, 1]}},
             "tuner": {"name": "Random"}, "trainingService": {"platform": "local"}}
            """);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("id").textValue();
  }

  private void awaitTrial(String id, String text) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/experiments/" + id + "/trials").body())
                .contains(text));
  }

  @Test
  void aGpuIsGivenOnceToANotebookOrATrialWhicheverServerRuns() throws Exception {
    create(",\"resources\":{\"gpu\":1}");
    awaitStatus("RUNNING");
    assertThat(run(pass(ann), "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"))
        .isEqualTo("0\n");
    String id = experiment();
    awaitTrial(id, "waits for 2 GPUs: 1 of 2 free (gpu 0: 1 notebook)");

    server.kill();
    begin();
    users.moveTo(server);
    ann = users.signIn("ann");
    awaitStatus("RUNNING");
    awaitTrial(id, "waits for 2 GPUs: 1 of 2 free (gpu 0: 1 notebook)");
    assertThat(temp.resolve("home/workspaces/ann/code/seen")).doesNotExist();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode gpus = users.get(ann, "/api/v1/usage/gpus").json().get("items");
          assertThat(StreamSupport.stream(gpus.get(0).get("holders").spliterator(), false))
              .extracting(holder ->
                  holder.get("kind").textValue()
                      + " "
                      + holder.get("name").textValue()
                      + " of "
                      + holder.get("project").textValue())
              .containsExactly("notebook ann-1 of vision");
          assertThat(gpus.get(1).get("holders")).isEmpty();
        });

    act("stop");
    awaitStatus("STOPPED");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(temp.resolve("home/workspaces/ann/code/seen")).hasContent("gpus 0,1"));
  }

  @Test
  void whatTheMachineCannotGiveIsRefused() throws Exception {
    String ask = "{\"name\":\"ann-2\",\"project\":\"vision\",\"resources\":{\"gpu\":3}}";

    assertThat(users.send(ann, "POST", ALL, ask).body())
        .contains("it needs 3 GPUs, but this machine has only gpu 0, 1");
    assertThat(users.get(ann, ALL + "/ann-2").status()).isEqualTo(404);
  }
}
