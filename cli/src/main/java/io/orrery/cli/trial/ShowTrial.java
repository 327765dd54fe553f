package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.LabelledLines;
import io.orrery.cli.print.Words;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Implements {@code orrery trial show}. */
@Command(name = "show", description = "Show a trial.")
final class ShowTrial implements Callable<Integer> {
  private final Session session;

  @Mixin private TrialChoice choice = new TrialChoice();

  ShowTrial(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode trial = session.api().get(choice.shown(session));
    if (session.json()) {
      session.print(trial);
      return 0;
    }
    Instant now = session.terminal().clock().instant();
    line("id", trial.path("experiment").asText() + "/" + trial.path("id").asText());
    line("status", session.terminal().style().status(trial.path("status").asText()));
    if (trial.path("reason").isTextual()) {
      line("reason", trial.path("reason").asText());
    }
    line("attempt", Words.value(trial.path("attempt")));
    line("metric", Words.value(trial.path("metric")));
    line("parameters", Words.value(trial.path("parameters")));
    line("started", Words.ago(trial.path("startedAt"), now));
    String directory = trial.path("directory").asText("");
    if (!directory.isEmpty()) {
      line("files", directory);
    }
    if (trial.path("status").asText().equals("FAILED")) {
      line(
          "stderr",
          "`orrery trial logs "
              + trial.path("experiment").asText()
              + "/"
              + trial.path("id").asText()
              + " --stderr` shows all of it");
    }
    boolean over = trial.path("endedAt").isTextual();
    line(
        over ? "ran for" : "running for",
        Words.between(trial.path("startedAt"), trial.path("endedAt"), now));
    return 0;
  }

  private void line(String label, String value) {
    LabelledLines.labelled(session.terminal(), label, value);
  }
}
