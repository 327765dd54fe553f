package io.orrery.journeys;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Trials that run and report nothing by themselves: all their points come from elsewhere. */
public final class WaitingTrials {
  private static final String TOKEN = "token";
  private static final int TRIES = 200;

  private WaitingTrials() {}

  /** The token that a trial on this machine reports with. */
  public static String token(ServerProcess server, String trial)
      throws IOException, InterruptedException {
    Path file =
        server.home().resolve("experiments/" + trial.replace("/", "/trials/")).resolve(TOKEN);
    for (int i = 0; i < TRIES && (!Files.exists(file) || Files.size(file) == 0); i++) {
      Thread.sleep(50);
    }
    return Files.readString(file).strip();
  }

  /**
   * Starts an experiment of such trials and waits until all run.
   *
   * @param folder holds their code; made when it is not there
   * @return {@code <experiment>/<trial>} of each
   */
  public static List<String> start(ServerProcess server, Path folder, int count)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    String id =
        server
            .post(
                "/experiments",
                """
                experimentName: waiting
                trialCommand: echo "$ORRERY_TRIAL_TOKEN" > "$NNI_SYS_DIR/token"; exec sleep 3600
                trialCodeDirectory: %s
                trialConcurrency: %d
                maxTrialNumber: %d
                searchSpace: {x: {_type: uniform, _value: [0, 1]}}
                tuner: {name: Random, classArgs: {optimize_mode: maximize}}
                trainingService: {platform: local}
                """
                    .formatted(folder, count, count))
            .get("id")
            .textValue();
    List<String> running = new ArrayList<>();
    while (running.size() < count) {
      Thread.sleep(50);
      running.clear();
      for (JsonNode trial : server.trials(id)) {
        if (trial.get("status").textValue().equals("RUNNING")) {
          running.add(id + "/" + trial.get("id").textValue());
        }
      }
    }
    return running;
  }

  /** How many intermediate results a trial has. */
  public static long points(ServerProcess server, String trial)
      throws IOException, InterruptedException {
    return server
        .get("/experiments/" + trial.replace("/", "/trials/") + "/metrics?maxPoints=2")
        .get("total")
        .longValue();
  }

  /** A line of a batch. */
  public static String line(String trial, String source, long sequence) {
    return "{\"trial\":\"%s\",\"kind\":\"intermediate\",\"source\":\"%s\",\"sequence\":%d,\"value\":0.5}"
        .formatted(trial, source, sequence);
  }
}
