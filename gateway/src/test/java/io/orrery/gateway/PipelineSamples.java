package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.ApiSamples.Sample;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about pipelines and schedules, and a module that answers each. */
final class PipelineSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final String TEMPLATE = "/api/v1/templates/xgb-train";
  private static final String PIPELINE = "/api/v1/pipelines/digits";
  private static final String RUN = "/api/v1/runs/r1";
  private static final String TEMPLATE_DOCUMENT =
      "{\"name\":\"xgb-train\",\"project\":\"vision\",\"command\":[\"true\"]}";
  private static final String PIPELINE_DOCUMENT =
      "{\"name\":\"digits\",\"project\":\"vision\",\"tasks\":[{\"name\":\"a\",\"command\":\"true\"}]}";

  static {
    sample("listTemplates", "GET", "/api/v1/templates?project=vision", "");
    sample("getTemplate", "GET", TEMPLATE, "");
    sample("putTemplate", "PUT", TEMPLATE, TEMPLATE_DOCUMENT);
    sample("deleteTemplate", "DELETE", TEMPLATE, "");
    sample("checkArguments", "POST", TEMPLATE + "/check", "{\"arguments\":{}}");
    sample("listPipelines", "GET", "/api/v1/pipelines?project=vision", "");
    sample("getPipeline", "GET", PIPELINE, "");
    sample("putPipeline", "PUT", PIPELINE, PIPELINE_DOCUMENT);
    sample("deletePipeline", "DELETE", PIPELINE, "");
    sample("listPipelineVersions", "GET", PIPELINE + "/versions", "");
    sample("getPipelineAdvice", "GET", PIPELINE + "/advice", "");
    sample("checkPipeline", "POST", PIPELINE + "/check", PIPELINE_DOCUMENT);
    sample("runPipeline", "POST", PIPELINE + "/run", "{\"parameters\":{}}");
    sample("exportPipeline", "POST", PIPELINE + "/export", "{}");
    sample("runTask", "POST", PIPELINE + "/tasks/a/run", "{\"parameters\":{}}");
    sample("debugTask", "POST", PIPELINE + "/tasks/a/debug", "");
    sample("clearTask", "POST", PIPELINE + "/tasks/a/clear", "");
    sample("getTaskLog", "GET", PIPELINE + "/tasks/a/log", "");
    sample("deleteRun", "DELETE", RUN, "");
    sample("listRuns", "GET", "/api/v1/runs?project=vision", "");
    sample("getRun", "GET", RUN, "");
    sample("compareRuns", "GET", RUN + "/compare/r2", "");
    sample("getRunLineage", "GET", RUN + "/lineage", "");
    sample("stopRun", "POST", RUN + "/stop", "");
    sample("pauseRun", "POST", RUN + "/pause", "");
    sample("resumeRun", "POST", RUN + "/resume", "");
    sample("retryRun", "POST", RUN + "/retry", "{\"steps\":[\"a\"]}");
    sample("approveStep", "POST", RUN + "/steps/a/approve", "{\"why\":\"fine\"}");
    sample("refuseStep", "POST", RUN + "/steps/a/refuse", "{}");
    sample("getRunEvents", "GET", RUN + "/events", "");
    sample("getStep", "GET", RUN + "/steps/a", "");
    sample("getStepLog", "GET", RUN + "/steps/a/logs/stdout", "");
    sample("getArtifact", "GET", RUN + "/artifacts/a/rows", "");
    ALL.putAll(ScheduleSamples.ALL);
  }

  private PipelineSamples() {}

  private static void sample(String operation, String method, String path, String body) {
    ALL.put(operation, new Sample(method, path, body));
  }

  static void answer(EdgeServer edge) throws Exception {
    ScheduleSamples.answer(edge);
    ProjectName vision = new ProjectName("vision");
    var template =
        new Templates.Template(
            new PipelineName("xgb-train"),
            vision,
            "ann",
            TEMPLATE_DOCUMENT,
            true,
            false,
            Samples.THEN,
            Samples.THEN,
            2);
    var pipeline =
        new Pipelines.Pipeline(
            new PipelineName("digits"),
            vision,
            "ann",
            PIPELINE_DOCUMENT,
            Samples.THEN,
            Samples.THEN,
            3);
    var rows = new StepOutput("rows", StepOutput.Kind.VALUE, "12", null, 2);
    var view =
        new PipelineRuns.RunView(
            new PipelineRuns.Run(
                new RunId("r1"),
                "digits",
                3,
                vision,
                "ann",
                "ann",
                "manual",
                null,
                Parameters.EMPTY,
                RunStatus.SUCCEEDED,
                Samples.THEN,
                Samples.THEN,
                Samples.THEN,
                null),
            List.of(
                new PipelineRuns.Step(
                    "a",
                    "a",
                    Map.of("seed", "1"),
                    "local",
                    StepStatus.SUCCEEDED,
                    "why",
                    1,
                    Samples.THEN,
                    Samples.THEN,
                    0,
                    List.of(rows),
                    null,
                    "1c002dd4b536e7479fe34593e72e6c6c1819e53b")),
            List.of(
                new PipelineRuns.AlertDelivery(
                    "r1-succeeded-7",
                    "SUCCEEDED",
                    null,
                    PipelineRuns.AlertState.DELIVERED,
                    1,
                    "the receiver answered 200",
                    Samples.THEN,
                    Samples.THEN,
                    null)));
    edge.answer(Templates.LIST, new Templates.TemplatePage(List.of(template), null));
    edge.answer(Templates.GET, template);
    edge.on(
        Templates.PUT,
        put ->
            Future.succeededFuture(
                new Templates.PutDone(
                    template,
                    put.creates() ? Services.Outcome.CREATED : Services.Outcome.CHANGED,
                    List.of())));
    edge.answer(Templates.DELETE, new People.Done());
    edge.answer(Templates.CHECK, new Templates.Checked(List.of("true")));
    edge.answer(Pipelines.LIST, new Pipelines.PipelinePage(List.of(pipeline), null));
    edge.answer(Pipelines.GET, pipeline);
    edge.on(
        Pipelines.PUT,
        put ->
            Future.succeededFuture(
                new Pipelines.PutDone(
                    pipeline,
                    put.creates() ? Services.Outcome.CREATED : Services.Outcome.CHANGED,
                    List.of("Odd."))));
    edge.answer(Pipelines.DELETE, new People.Done());
    edge.answer(
        Pipelines.VERSIONS,
        new Pipelines.Versions(
            List.of(new Pipelines.Version(1, Samples.THEN, "ann", PIPELINE_DOCUMENT)), null));
    edge.answer(
        Pipelines.ADVICE,
        new Pipelines.Advice(
            List.of(
                new Pipelines.TaskAdvice(
                    "a", 12, 310L << 20, 700, Map.of("memory", "512M"), List.of("Less.")))));
    edge.answer(Pipelines.RUN, new Pipelines.Started(new RunId("r1"), List.of()));
    edge.answer(Pipelines.EXPORT, new Pipelines.Exported("{}", List.of("Odd.")));
    edge.answer(Pipelines.RUN_TASK, new Pipelines.Started(new RunId("r1"), List.of()));
    edge.answer(Pipelines.DELETE_RUN, new People.Done());
    edge.answer(PipelineRuns.LIST, new PipelineRuns.RunPage(List.of(view.run()), null));
    edge.answer(PipelineRuns.GET, view);
    edge.answer(
        PipelineRuns.LINEAGE,
        new PipelineRuns.Lineage(
            List.of(new PipelineRuns.Use("b", "in", new OutputRef("a", "rows")))));
    edge.answer(PipelineRuns.COMMAND, view);
    edge.on(
        PipelineRuns.DECIDE,
        asked ->
            asked.operates()
                ? Future.succeededFuture(view)
                : Future.failedFuture(new Problem.Forbidden("You may not.").toException()));
    edge.answer(
        PipelineRuns.READ_LOG, new Trials.LogPiece("hi".getBytes(StandardCharsets.UTF_8), 2, true));
    edge.on(
        PipelineRuns.READ_OUTPUT,
        read ->
            Future.succeededFuture(
                new PipelineRuns.OutputPiece(
                    rows,
                    read.offset() > 0 ? new byte[0] : "12".getBytes(StandardCharsets.UTF_8))));
  }
}
