package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The API of algorithms, {@code /tuners}: the list with the arguments of each, and the registration
 * of custom classes.
 */
final class TunerApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/tuners";
  private static final int MOST_BYTES = 1 << 20;

  /** Of a registration; those that it must have come first. */
  private static final List<String> KEYS =
      List.of("name", "kind", "className", "codeDirectory", "classArgs");

  private final Bus bus;
  private final RequestBody bodies;

  public TunerApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL,
        RouteNeed.CALLER,
        context ->
            bus.request(Tuners.LIST, new Tuners.ListAll())
                .map(all ->
                    Reply.ok(
                        Pages.cut(
                            Query.of(context),
                            Pages.of(all.algorithms(), TunerApi::shape, null),
                            "/name"))),
        "cursor",
        "limit");
    router.post(ALL, RouteNeed.SERVER, this::register, DryRun.PARAMETER);
    router.delete(
        ALL + "/:name",
        RouteNeed.SERVER,
        context ->
            bus.request(
                    Tuners.UNREGISTER,
                    new Tuners.Unregister(Objects.requireNonNull(context.pathParam("name"))))
                .map(gone -> Reply.empty(204)));
  }

  private Future<Reply> register(RoutingContext context) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MOST_BYTES)
        .compose(text -> {
          Tuners.Registration wanted = read(Json.parse(text));
          if (dryRun) {
            return DryRun.valid(bus.request(Tuners.CHECK_REGISTER, wanted));
          }
          return bus.request(Tuners.REGISTER, wanted)
              .map(done ->
                  Reply.created(
                      ALL + "/" + wanted.name(), Json.MAPPER.<ObjectNode>valueToTree(wanted)));
        });
  }

  private static Tuners.Registration read(JsonNode body) {
    if (!body.isObject()) {
      throw new Problem.Refused(
              new Finding(
                  "", "the body is an object such as {\"name\": \"walk\", \"kind\": \"tuner\", …}"))
          .toException();
    }
    List<Finding> findings = new ArrayList<>();
    body.fieldNames()
        .forEachRemaining(key -> {
          if (!KEYS.contains(key)) {
            findings.add(
                new Finding(
                    "/" + key, "'" + key + "' is not a known key" + Nearest.hint(key, KEYS)));
          }
        });
    for (String key : KEYS.subList(0, 3)) {
      if (!body.path(key).isTextual()) {
        findings.add(new Finding("/" + key, "is missing: a text"));
      }
    }
    JsonNode directory = body.path("codeDirectory");
    if (!directory.isMissingNode() && !directory.isNull() && !directory.isTextual()) {
      findings.add(new Finding("/codeDirectory", "must be text"));
    }
    JsonNode arguments = body.path("classArgs");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      findings.add(new Finding("/classArgs", "must be an object"));
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return new Tuners.Registration(
        body.path("name").textValue(),
        body.path("kind").textValue(),
        body.path("className").textValue(),
        directory.textValue(),
        arguments.isObject()
            ? Json.MAPPER.convertValue(arguments, Parameters.class)
            : Parameters.EMPTY);
  }

  private static ObjectNode shape(Tuners.Algorithm algorithm) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("name", algorithm.name())
            .put("kind", algorithm.kind())
            .put("summary", algorithm.summary())
            .put("className", algorithm.className())
            .put("severalObjectives", algorithm.severalObjectives());
    json.set("aliases", Json.MAPPER.valueToTree(algorithm.aliases()));
    json.set("types", Json.MAPPER.valueToTree(algorithm.types()));
    ArrayNode arguments = json.putArray("arguments");
    algorithm
        .arguments()
        .forEach(argument ->
            arguments
                .addObject()
                .put("name", argument.name())
                .put("type", argument.type())
                .put("default", argument.standard())
                .put("meaning", argument.meaning()));
    return json;
  }
}
