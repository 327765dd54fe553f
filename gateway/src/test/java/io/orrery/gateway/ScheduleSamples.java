package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.gateway.ApiSamples.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about schedules, and a module that answers each. */
final class ScheduleSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final String SCHEDULE = "/api/v1/pipelines/digits/schedule";
  private static final String DUE = "/api/v1/due-runs/digits-20261125t030000z";

  static {
    sample("listSchedules", "GET", "/api/v1/schedules?project=vision", "");
    sample("getSchedule", "GET", SCHEDULE, "");
    sample("putSchedule", "PUT", SCHEDULE, "{\"cron\":\"0 3 * * *\"}");
    sample("deleteSchedule", "DELETE", SCHEDULE, "");
    sample("previewSchedule", "GET", SCHEDULE + "/preview?limit=3", "");
    sample(
        "backfillSchedule",
        "POST",
        SCHEDULE + "/backfill",
        "{\"from\":\"2026-11-01T00:00:00Z\",\"to\":\"2026-11-02T00:00:00Z\"}");
    sample("pauseSchedule", "POST", SCHEDULE + "/pause", "");
    sample("resumeSchedule", "POST", SCHEDULE + "/resume", "");
    sample("listDueRuns", "GET", "/api/v1/due-runs?project=vision&status=created", "");
    sample("getDueRun", "GET", DUE, "");
    sample("skipDueRun", "POST", DUE + "/skip", "");
    sample("againDueRun", "POST", DUE + "/again", "");
  }

  private ScheduleSamples() {}

  private static void sample(String operation, String method, String path, String body) {
    ALL.put(operation, new Sample(method, path, body));
  }

  static void answer(EdgeServer edge) throws Exception {
    PipelineName digits = new PipelineName("digits");
    var schedule =
        new Schedules.Schedule(
            digits,
            List.of("0 3 * * *"),
            "Europe/Berlin",
            null,
            true,
            1,
            30,
            Schedules.Missed.LATEST,
            false,
            List.of(Samples.THEN),
            List.of(
                new PipelineRuns.AlertDelivery(
                    "due-digits-late",
                    "LATE",
                    "ann@example.com",
                    PipelineRuns.AlertState.WAITING,
                    0,
                    null,
                    Samples.THEN,
                    null,
                    Samples.THEN)));
    var due =
        new Schedules.DueRun(
            "digits-20261125t030000z",
            digits,
            new ProjectName("vision"),
            Samples.THEN,
            Schedules.DueStatus.CREATED,
            new RunId("r1"),
            RunStatus.RUNNING,
            null,
            Samples.THEN,
            Samples.THEN);
    var instants = new Schedules.Instants(List.of(Samples.THEN), false);
    edge.answer(Schedules.LIST, new Schedules.SchedulePage(List.of(schedule), null));
    edge.answer(Schedules.GET, schedule);
    edge.answer(
        Schedules.PUT, new Schedules.PutDone(schedule, Services.Outcome.CHANGED, List.of("Odd.")));
    edge.answer(Schedules.DELETE, new People.Done());
    edge.answer(Schedules.PAUSE, schedule);
    edge.answer(Schedules.RESUME, schedule);
    edge.answer(Schedules.PREVIEW, instants);
    edge.answer(Schedules.BACKFILL, instants);
    edge.answer(Schedules.DUE_RUNS, new Schedules.DueRunPage(List.of(due), null));
    edge.answer(Schedules.DUE_RUN, due);
    edge.answer(Schedules.SKIP, due);
    edge.answer(Schedules.AGAIN, due);
  }
}
