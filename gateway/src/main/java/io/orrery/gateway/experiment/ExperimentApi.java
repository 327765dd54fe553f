package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Experiments.Action;
import io.orrery.core.bus.contract.Experiments.Created;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.annotation.TagLookup;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.ListFilter;
import io.orrery.gateway.http.Listeners;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of experiments, {@code /experiments}: create, read, change, command. */
public final class ExperimentApi implements Api {
  static final int MAX_CONFIG_BYTES = 16 << 20;
  private static final int MAX_PATCH_BYTES = 1 << 20;
  private static final String ALL = ApiRouter.V1 + "/experiments";
  private static final String ONE = ALL + "/:experiment";

  private final Bus bus;
  private final TagLookup tags;
  private final TransferShape transfers;
  private final IncumbentShape incumbents;
  private final RequestBody bodies;
  private final ExperimentPorts ports;
  private final ExperimentIndex index;
  private final ProjectAccess projects;

  public ExperimentApi(Bus bus, RequestBody bodies, ExperimentPorts ports, ExperimentIndex index) {
    this.bus = bus;
    this.tags = new TagLookup(bus);
    this.transfers = new TransferShape(bus);
    this.incumbents = new IncumbentShape(bus, Duration.ofMillis(500));
    this.bodies = bodies;
    this.ports = ports;
    this.index = index;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void listening(Listeners listeners) {
    ports.listening(listeners);
    index.listening(listeners);
  }

  @Override
  public void close() {
    index.close();
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        ALL,
        RouteNeed.CHECKED,
        this::create,
        "dryRun",
        "base",
        "port",
        "urlPrefix",
        "id",
        "project");
    router.post(ALL + "/convert", RouteNeed.CALLER, this::convert);
    router.get(
        ALL, RouteNeed.CHECKED, this::list, "cursor", "limit", "project", "owner", "q", "status");
    router.get(ONE, RouteNeed.READ, this::show);
    router.patch(ONE, RouteNeed.CHANGE, this::change, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.CHANGE, this::delete);
    router.post(
        ONE + "/stop", RouteNeed.OPERATE, context -> command(context, Action.STOP), "dryRun");
    router.post(
        ONE + "/pause", RouteNeed.OPERATE, context -> command(context, Action.PAUSE), "dryRun");
    router.post(
        ONE + "/resume", RouteNeed.OPERATE, context -> command(context, Action.RESUME), "dryRun");
    router.put(ONE + "/port", RouteNeed.CHANGE, this::openPort, DryRun.PARAMETER);
    router.delete(ONE + "/port", RouteNeed.CHANGE, this::closePort);
  }

  private Future<Reply> create(RoutingContext context) {
    Query query = Query.of(context);
    boolean dryRun = query.flag("dryRun");
    String base = query.text("base");
    Integer port = query.text("port") == null ? null : (int) query.integer("port", 0, 1, 65_535);
    String prefix = query.read("urlPrefix", ExperimentApi::prefix);
    ExperimentId id = query.read("id", ExperimentApi::id);
    ProjectName project = query.read("project", ProjectAccess::named);
    Predicate<ResourceOwner> sees = Callers.sees(context);
    return bodies
        .text(context, MAX_CONFIG_BYTES)
        .compose(text ->
            CheckedConfig.projectOf(context, project, text)
                .compose(named -> projects.forCreation(context, named))
                .map(owned ->
                    new Experiments.Create(
                        text, base, dryRun, id, owned, Callers.serverFiles(context))))
        .compose(create -> {
          Supplier<Future<Created>> creation =
              prefix == null || dryRun
                  ? () -> create(create)
                  : () -> ports.below(prefix, sees, () -> create(create));
          return port == null || dryRun ? creation.get() : findable(creation, port, sees);
        })
        .map(created -> answer(created, created.notices()));
  }

  /** The project that a configuration names; null for none. Throws Refused when it can be none. */
  public static @Nullable ProjectName projectOf(JsonNode config) {
    return CheckedConfig.projectOf(config);
  }

  private Future<Reply> convert(RoutingContext context) {
    return bodies
        .text(context, MAX_CONFIG_BYTES)
        .compose(text -> bus.request(Experiments.CONVERT, new Experiments.Convert(text)))
        .map(converted -> {
          ObjectNode json = Json.MAPPER.createObjectNode();
          json.set("config", Json.parse(converted.config()));
          json.set("changes", Json.MAPPER.valueToTree(converted.changes()));
          return Reply.ok(json);
        });
  }

  private static ExperimentId id(String text) {
    if (!ExperimentId.valid(text)) {
      throw new Problem.Refused(
              new Finding("", "an experiment's id has 1 to 32 letters, digits, - or _"))
          .toException();
    }
    return new ExperimentId(text);
  }

  private static String prefix(String text) {
    if (!ExperimentPorts.isPrefix(text)) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "a prefix is one step of a path: 1 to 64 letters, digits, - or _, and none of the"
                      + " server's own"))
          .toException();
    }
    return text;
  }

  /** Who names a port means NNI's clients to find the experiment there. */
  private Future<Created> findable(
      Supplier<Future<Created>> creation, int port, Predicate<ResourceOwner> sees) {
    return ports
        .with(port, sees, creation)
        .compose(created -> {
          Experiment experiment = Objects.requireNonNull(created.experiment());
          return index
              .vacate(port, experiment.id())
              .compose(vacated -> index.add(experiment))
              .map(listed -> created);
        });
  }

  /** NNI's clients shall find an experiment at a port, also one that has ended. */
  private Future<Reply> openPort(RoutingContext context) {
    ExperimentId id = PathIds.experiment(context);
    boolean dryRun = DryRun.isAsked(context);
    Predicate<ResourceOwner> sees = Callers.sees(context);
    return bodies
        .text(context, MAX_PATCH_BYTES)
        .map(ExperimentApi::port)
        .compose(port ->
            bus.request(Experiments.GET, new Experiments.Get(id))
                .compose(experiment ->
                    dryRun
                        ? DryRun.valid(ports.check(id, port, sees))
                        : ports
                            .move(id, port, sees)
                            .compose(moved -> index.vacate(port, id))
                            .compose(vacated -> index.add(experiment))
                            .map(listed -> Reply.empty(204))));
  }

  private static int port(String text) {
    JsonNode port = Json.parse(text).path("port");
    if (!port.isInt() || port.intValue() < 1 || port.intValue() > 65_535) {
      throw new Problem.Refused(
              new Finding("/port", "port is a whole number from 1 to 65535: {\"port\": 8080}"))
          .toException();
    }
    return port.intValue();
  }

  /** NNI's clients are done with an experiment: nothing serves its port any more. */
  private Future<Reply> closePort(RoutingContext context) {
    ExperimentId id = PathIds.experiment(context);
    return bus.request(Experiments.GET, new Experiments.Get(id))
        .compose(experiment -> ports.giveUp(id).compose(closed -> index.dismiss(experiment)))
        .map(dismissed -> Reply.empty(204));
  }

  private Future<Created> create(Experiments.Create create) {
    return bus.request(Experiments.CREATE, create);
  }

  private static Reply answer(Created created, List<String> notices) {
    Experiment experiment = created.experiment();
    if (experiment == null) {
      ObjectNode valid = Json.MAPPER.createObjectNode().put("valid", true);
      valid.set("notices", Json.MAPPER.valueToTree(notices));
      valid.set("config", ExperimentShape.config(created.spec()));
      return Reply.ok(valid);
    }
    ObjectNode shape = ExperimentShape.whole(experiment);
    shape.set("notices", Json.MAPPER.valueToTree(notices));
    return Reply.created(ALL + "/" + experiment.id(), shape);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    List<ProjectName> among =
        ProjectAccess.among(context, query.read("project", ProjectAccess::named));
    return new ListFilter(query)
        .oneOf(
            "status", "/status", Arrays.stream(ExperimentStatus.values()).map(Enum::name).toList())
        .text("/id", "/name")
        .of((cursor, limit) ->
            page(new Experiments.ListAll(cursor, limit, among, query.text("owner"))))
        .map(Reply::ok);
  }

  private Future<ObjectNode> page(Experiments.ListAll wanted) {
    return bus.request(Experiments.LIST, wanted)
        .compose(page ->
            tagsOf(page.items())
                .map(tags ->
                    Pages.of(
                        page.items(),
                        item -> tagged(ExperimentShape.summary(item), item, tags),
                        page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return bus.request(Experiments.GET, new Experiments.Get(PathIds.experiment(context)))
        .compose(experiment ->
            tagsOf(List.of(experiment))
                .compose(tags ->
                    transfers
                        .added(tagged(ExperimentShape.whole(experiment), experiment, tags))
                        .compose(incumbents::added)
                        .map(Reply::ok)));
  }

  private Future<Optional<Annotations.Tags>> tagsOf(List<Experiment> experiments) {
    return tags.of(experiments.stream().map(Experiment::id).toList());
  }

  private static ObjectNode tagged(
      ObjectNode shape, Experiment experiment, Optional<Annotations.Tags> known) {
    known.ifPresent(
        tags -> shape.set("tags", Json.MAPPER.valueToTree(tags.of(experiment.id().value()))));
    return shape;
  }

  private Future<Reply> change(RoutingContext context) {
    var id = PathIds.experiment(context);
    var address = DryRun.isAsked(context) ? Experiments.CHECK_CHANGE : Experiments.CHANGE;
    return bodies
        .text(context, MAX_PATCH_BYTES)
        .compose(text -> {
          if (!Json.parse(text).isObject()) {
            throw new Problem.Refused(
                    new Finding("", "a change is a JSON object such as {\"maxTrialNumber\": 50}"))
                .toException();
          }
          return bus.request(address, new Experiments.Change(id, text));
        })
        .map(experiment -> Reply.ok(ExperimentShape.whole(experiment)));
  }

  private Future<Reply> delete(RoutingContext context) {
    return bus.request(Experiments.DELETE, new Experiments.Delete(PathIds.experiment(context)))
        .map(ExperimentApi::deleted)
        .compose(reply -> ports.release(PathIds.experiment(context)).map(released -> reply));
  }

  private static Reply deleted(Experiments.Deleted deleted) {
    ObjectNode shape = ExperimentShape.whole(deleted.experiment());
    shape.set("notices", Json.MAPPER.valueToTree(deleted.notices()));
    return Reply.ok(shape);
  }

  private Future<Reply> command(RoutingContext context, Action action) {
    ExperimentId id = PathIds.experiment(context);
    var address = DryRun.isAsked(context) ? Experiments.CHECK_COMMAND : Experiments.COMMAND;
    return bus.request(address, new Experiments.Command(id, action))
        .map(experiment -> Reply.ok(ExperimentShape.whole(experiment)));
  }
}
