package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Progress;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows on stderr how a run goes on. */
interface Display {
  /** The newest state of the experiment. */
  void show(JsonNode experiment);

  /** A message among it. */
  void say(String message);

  /** Nothing more follows. */
  void close();

  /** One line redrawn for a person who watches, else plain lines for a file. */
  static Display on(Terminal terminal, Api api) {
    return terminal.interactive() ? new Redrawn(terminal) : new LogDisplay(terminal, api);
  }

  /** A display of one line, drawn over itself. */
  final class Redrawn implements Display {
    private static final String ERASE = "\r\u001b[K";

    private final Terminal terminal;
    private final int columns;
    private final Instant start;
    private String drawn = "";

    Redrawn(Terminal terminal) {
      this.terminal = terminal;
      this.columns = terminal.columns();
      this.start = terminal.clock().instant();
    }

    @Override
    public void show(JsonNode experiment) {
      Duration watched = Duration.between(start, terminal.clock().instant());
      String line = Progress.of(experiment, watched).line(columns);
      if (!terminal.shows(line)) {
        line = Progress.plain(line);
      }
      if (!line.equals(drawn)) {
        draw(ERASE + line);
        drawn = line;
      }
    }

    @Override
    public void say(String message) {
      close();
      terminal.say(message);
    }

    @Override
    public void close() {
      if (!drawn.isEmpty()) {
        draw(ERASE);
        drawn = "";
      }
    }

    private void draw(String text) {
      terminal.err().print(text);
      terminal.err().flush();
    }
  }

  /** A line for each trial that ends; for a large experiment one every few seconds. */
  final class LogDisplay implements Display {
    private static final int LARGE = 1000;
    private static final int LOOK_BACK = 200;
    private static final int LONGEST_CAUSE = 200;
    private static final Duration SELDOM = Duration.ofSeconds(5);

    private final Terminal terminal;
    private final Api api;
    private final Set<String> told = new HashSet<>();
    private final Instant start;
    private @Nullable Instant summed;
    private String lastSum = "";

    LogDisplay(Terminal terminal, Api api) {
      this.terminal = terminal;
      this.api = api;
      this.start = terminal.clock().instant();
    }

    @Override
    public void show(JsonNode experiment) {
      Instant now = terminal.clock().instant();
      Progress progress = Progress.of(experiment, Duration.between(start, now));
      if (progress.done() > LARGE || (progress.total() != null && progress.total() > LARGE)) {
        sum(progress, now);
      } else if (progress.done() > told.size()) {
        tell(experiment.path("id").asText(), progress);
      }
    }

    @Override
    public void say(String message) {
      terminal.say(message);
    }

    @Override
    public void close() {}

    private void sum(Progress progress, Instant now) {
      boolean due = summed == null || Duration.between(summed, now).compareTo(SELDOM) >= 0;
      if (due && !progress.count().equals(lastSum)) {
        terminal.err().println(progress.text());
        summed = now;
        lastSum = progress.count();
      }
    }

    private void tell(String experiment, Progress progress) {
      long missing = progress.done() - told.size();
      List<JsonNode> ended = new ArrayList<>();
      try {
        Resource newest = Resource.of("experiments", experiment, "trials").with("sort", "-endedAt");
        int limit = (int) Math.min(LARGE, missing + progress.running() + LOOK_BACK);
        api.list(newest, limit).stream().filter(LogDisplay::hasEnded).forEach(ended::add);
      } catch (Unreachable | ProblemResponse e) {
        return; // Told the next time: the watch deals with a server that is away.
      }
      for (JsonNode trial : ended.reversed()) {
        String id = trial.path("id").asText();
        if (told.add(id)) {
          String count = told.size() + (progress.total() == null ? "" : "/" + progress.total());
          String metric =
              trial.path("metric").isNull() ? "" : Words.value(trial.path("metric")) + " ";
          terminal
              .err()
              .println(
                  "trial "
                      + id
                      + " "
                      + trial.path("status").asText()
                      + " "
                      + metric
                      + "("
                      + count
                      + ")"
                      + why(trial));
        }
      }
    }

    private static String why(JsonNode trial) {
      boolean bad = Set.of("FAILED", "SYS_CANCELED").contains(trial.path("status").asText());
      String cause = bad ? Words.cause(trial.path("reason")) : "";
      return cause.isEmpty() ? "" : ": " + Words.cut(cause, LONGEST_CAUSE);
    }

    private static boolean hasEnded(JsonNode trial) {
      String status = trial.path("status").asText();
      for (TrialStatus known : TrialStatus.values()) {
        if (known.name().equals(status)) {
          return known.isFinal();
        }
      }
      return false;
    }
  }
}
