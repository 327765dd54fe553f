package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Terminal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows on stderr how a run of a pipeline goes on. */
interface RunDisplay {
  /** The newest state of the run. */
  void show(JsonNode run);

  /** Leaves what is drawn where it is: something else is printed below. */
  void leave();

  /**
   * The graph drawn over itself for a person who watches, as far as it fits on the screen; else a
   * line for each step whenever its status changes.
   */
  static RunDisplay on(Terminal terminal, Api api) {
    return terminal.interactive() ? new Picture(terminal, api) : new StatusLog(terminal);
  }

  /** A line for each step whenever its status changes. */
  final class StatusLog implements RunDisplay {
    private final Terminal terminal;
    private final Map<String, String> told = new HashMap<>();

    StatusLog(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public void show(JsonNode run) {
      for (JsonNode step : run.path("steps")) {
        String status = step.path("status").asText();
        String reason = step.path("reason").asText("");
        boolean quiet = status.equals("BLOCKED") || (status.equals("READY") && reason.isEmpty());
        String line =
            "%-24s %s%s"
                .formatted(
                    step.path("name").asText(), status, reason.isEmpty() ? "" : "  " + reason);
        if (!line.equals(told.put(step.path("name").asText(), line)) && !quiet) {
          terminal.err().println(line);
        }
      }
    }

    @Override
    public void leave() {
      // Each line stays.
    }
  }

  /** The graph, drawn over itself. */
  final class Picture implements RunDisplay {
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";

    private final Terminal terminal;
    private final Api api;
    private final StatusLog log;
    private final int rows;
    private final int columns;
    private @Nullable RunDrawing graph;
    private List<String> drawn = List.of();

    Picture(Terminal terminal, Api api) {
      this.terminal = terminal;
      this.api = api;
      this.log = new StatusLog(terminal);
      this.rows = terminal.rows();
      this.columns = terminal.columns();
    }

    @Override
    public void show(JsonNode run) {
      RunDrawing known = graph;
      if (known == null) {
        known = RunDrawing.of(run, pipeline(run));
        graph = known;
      }
      List<String> picture = known.lines(run).stream().map(this::fitting).toList();
      if (picture.size() >= rows) {
        log.show(run);
      } else if (!picture.equals(drawn)) {
        StringBuilder text = new StringBuilder();
        if (!drawn.isEmpty()) {
          text.append("\u001b[%dA\r".formatted(drawn.size()));
        }
        picture.forEach(line -> text.append(line).append(REST_OF_LINE).append('\n'));
        terminal.err().print(text.append(REST_OF_SCREEN));
        terminal.err().flush();
        drawn = picture;
      }
    }

    /** The document whose version runs; null when it is not the present one any more. */
    private @Nullable JsonNode pipeline(JsonNode run) {
      try {
        JsonNode present = api.get(Resource.of("pipelines", run.path("pipeline").asText()));
        return present.path("version").asInt() == run.path("version").asInt() ? present : null;
      } catch (ProblemResponse | Unreachable e) {
        // It was deleted, or the server is restarted: the run goes on without it.
        return null;
      }
    }

    /** A line that stays one on the screen, without what a terminal would take for a command. */
    private String fitting(String line) {
      String plain = line.replaceAll("\\p{Cntrl}", " ");
      String shown =
          terminal.shows(plain) ? plain : plain.replaceAll("[├└]─ ", "+- ").replace('│', '|');
      return shown.length() < columns ? shown : shown.substring(0, columns - 1);
    }

    @Override
    public void leave() {
      drawn = List.of();
    }
  }
}
