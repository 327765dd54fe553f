package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Preflighted;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The check of a project's settings, {@code /api/v1/projects/{project}/check}: by their grammar,
 * and against the clusters of the configuration, with their claims, directories and nodes.
 */
final class ProjectCheckApi implements Api {
  private static final int MAX_BYTES = 4 * Projects.MOST_SETTINGS;
  private static final String SETTINGS = "/settings";

  /** The time of a cluster to answer while settings are stored. */
  private static final int SECONDS = 5;

  private final Bus bus;
  private final RequestBody bodies;

  public ProjectCheckApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(ProjectApi.ONE + "/check", RouteNeed.STUDIO, this::check, "dryRun");
  }

  /** Checks the settings of the body; those that the project has when there are none. */
  private Future<Reply> check(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(text.isBlank() ? "{}" : text, List.of("settings"), "{\"settings\": {}}");
          ObjectNode written = fields.object("settings", Projects.MOST_SETTINGS);
          fields.check();
          return fields.has("settings")
              ? checked(written)
              : bus.request(Projects.GET, new Projects.GetProject(project))
                  .compose(known -> checked((ObjectNode) Json.parse(known.settings())));
        });
  }

  private Future<Reply> checked(ObjectNode written) {
    ProjectSettings.Reading reading = ProjectSettings.read(written, SETTINGS);
    ObjectNode shape = Json.MAPPER.createObjectNode();
    if (!reading.findings().isEmpty()) {
      return Future.succeededFuture(Reply.ok(answer(shape, reading.findings(), reading.notices())));
    }
    return preflight(bus, written)
        .map(found -> {
          ObjectNode answer = answer(shape, placed(found.faults()), reading.notices());
          add((ArrayNode) answer.get("notices"), placed(found.doubts()));
          return Reply.ok(answer);
        });
  }

  private static ObjectNode answer(
      ObjectNode shape, List<Finding> findings, List<Finding> notices) {
    shape.put("valid", findings.isEmpty());
    add(shape.putArray("errors"), findings);
    add(shape.putArray("notices"), notices);
    return shape;
  }

  private static void add(ArrayNode list, List<Finding> findings) {
    for (Finding finding : findings) {
      list.addObject().put("pointer", finding.pointer()).put("message", finding.message());
    }
  }

  private static List<Finding> placed(List<Finding> findings) {
    return findings.stream()
        .map(finding -> new Finding(SETTINGS + finding.pointer(), finding.message()))
        .toList();
  }

  private static Future<Preflighted> preflight(Bus bus, ObjectNode settings) {
    return bus.request(Workloads.PREFLIGHT, new Workloads.Preflight(Json.write(settings)));
  }

  /**
   * Everything that a preflight of right settings says, as notices: they may be stored before there
   * is what they name, and what needs it is refused when it is to run.
   */
  static Future<List<Finding>> notices(Bus bus, ObjectNode settings) {
    ProjectSettings read = ProjectSettings.read(settings, "").settings();
    if (read.cluster() == null && read.mounts().mounts().isEmpty() && !read.choosesNodes()) {
      return Future.succeededFuture(List.of());
    }
    return preflight(bus, settings)
        .timeout(SECONDS, TimeUnit.SECONDS)
        .map(found -> {
          List<Finding> all = new ArrayList<>(placed(found.faults()));
          all.addAll(placed(found.doubts()));
          return all;
        })
        .otherwise(failure ->
            List.of(
                new Finding(
                    SETTINGS,
                    "what they name could not be looked at: " + Problem.of(failure).detail())));
  }
}
