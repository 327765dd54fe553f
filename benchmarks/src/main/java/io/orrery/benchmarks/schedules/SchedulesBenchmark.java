package io.orrery.benchmarks.schedules;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Schedules that are due in the same second, or one that is due each minute: how long after its
 * time each due run is submitted, by the server's own clock. An instant without a run counts as
 * lost, one with two as run twice.
 */
public final class SchedulesBenchmark {
  private static final int PAGE = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration FOR_EACH = Duration.ofMillis(50);

  private final int schedules;
  private final int minutes;

  /**
   * @param schedules due in the same second
   * @param minutes more than 0 measures one schedule for so many minutes instead
   */
  public SchedulesBenchmark(int schedules, int minutes) {
    this.schedules = schedules;
    this.minutes = minutes;
  }

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create();
        ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
      return minutes > 0 ? eachMinute(server) : together(server);
    }
  }

  private Map<String, Object> together(ServerProcess server)
      throws IOException, InterruptedException {
    Instant due =
        Instant.now()
            .plusSeconds(10)
            .plus(FOR_EACH.multipliedBy(schedules))
            .truncatedTo(ChronoUnit.SECONDS);
    ZonedDateTime at = due.atZone(ZoneOffset.UTC);
    String cron =
        "%d %d %d %d %d *"
            .formatted(
                at.getSecond(),
                at.getMinute(),
                at.getHour(),
                at.getDayOfMonth(),
                at.getMonthValue());
    for (int i = 0; i < schedules; i++) {
      put(server, "p" + i, cron);
    }
    if (!Instant.now().isBefore(due)) {
      throw new IOException("the schedules were not stored before they were due");
    }
    return measured("together", server, due, schedules);
  }

  private Map<String, Object> eachMinute(ServerProcess server)
      throws IOException, InterruptedException {
    put(server, "p", "* * * * *");
    Instant last = Instant.now().truncatedTo(ChronoUnit.MINUTES).plusSeconds(60L * minutes);
    return measured("each minute", server, last, minutes);
  }

  private static void put(ServerProcess server, String name, String cron)
      throws IOException, InterruptedException {
    String document =
        "{schedule: {cron: '%s', timeZone: UTC}, tasks: [{name: t, command: ['true']}]}"
            .formatted(cron);
    HttpResponse<String> stored =
        server.send("PUT", "/pipelines/" + name, BodyPublishers.ofString(document));
    if (stored.statusCode() >= 300) {
      throw new IOException(stored.body());
    }
  }

  /** Waits until the last is due and all are submitted, or for what is left of the patience. */
  private static Map<String, Object> measured(
      String what, ServerProcess server, Instant last, int expected)
      throws IOException, InterruptedException {
    List<JsonNode> submitted = List.of();
    while (Instant.now().isBefore(last.plus(PATIENCE)) && submitted.size() < expected) {
      Thread.sleep(Instant.now().isBefore(last) ? 1_000 : 200);
      if (!Instant.now().isBefore(last)) {
        submitted = submitted(server);
      }
    }
    List<Long> late = new ArrayList<>();
    Set<String> runs = new HashSet<>();
    Set<String> instants = new HashSet<>();
    for (JsonNode each : submitted) {
      late.add(
          Duration.between(
                  Instant.parse(each.path("due").asText()),
                  Instant.parse(each.path("submittedAt").asText()))
              .toMillis());
      runs.add(each.path("run").asText());
      instants.add(each.path("pipeline").asText() + each.path("due").asText());
    }
    Collections.sort(late);
    long middle = late.isEmpty() ? -1 : late.get(late.size() / 2);
    long most = late.isEmpty() ? -1 : late.getLast();
    int lost = expected - instants.size();
    int twice = runs.size() - instants.size();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("what", what);
    line.put("due", expected);
    line.put("medianMs", middle);
    line.put("mostMs", most);
    line.put("lost", lost);
    line.put("twice", twice);
    System.out.println(
        new ResultTable("due", "how", "p50 ms after its time", "most ms", "lost", "run twice")
            .row(
                Integer.toString(expected),
                what,
                String.format(Locale.ROOT, "%,d", middle),
                String.format(Locale.ROOT, "%,d", most),
                Integer.toString(lost),
                Integer.toString(twice)));
    return line;
  }

  private static List<JsonNode> submitted(ServerProcess server)
      throws IOException, InterruptedException {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = server.get("/due-runs?status=created&limit=" + PAGE + cursor);
      page.path("items").forEach(all::add);
      cursor = page.path("next").isNull() ? "" : "&cursor=" + page.path("next").asText();
    } while (!cursor.isEmpty());
    return all;
  }
}
