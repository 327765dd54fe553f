package io.orrery.gateway.notebook;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ListFilter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.orrery.gateway.service.RouterAddress;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The API of the documents of notebooks, {@code /api/v1/notebooks}. */
final class NotebookApi implements Api {
  static final String ALL = ApiRouter.V1 + "/notebooks";
  static final String ONE = ALL + "/:notebook";
  private static final int MAX_BYTES = 4 * Notebooks.MOST_CHARACTERS;
  private static final int SUFFIXES = 1 << 16;

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;
  private final NotebookShape shape;
  private final RandomGenerator random;

  /**
   * @param random of the names of notebooks that have none
   */
  public NotebookApi(Bus bus, RequestBody bodies, RouterAddress router, RandomGenerator random) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
    this.shape = new NotebookShape(router);
    this.random = random;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    router.post(ALL, RouteNeed.STUDIO, this::create, "project", "dryRun");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/events", RouteNeed.STUDIO, this::events, "cursor", "limit");
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    ProjectName project = query.read("project", ProjectAccess::named);
    return new ListFilter(query)
        .oneOf(
            "status",
            "/state/status",
            Arrays.stream(NotebookStatus.values()).map(Enum::name).toList())
        .of((cursor, limit) ->
            bus.request(
                    Notebooks.LIST,
                    new Notebooks.ListNotebooks(
                        Callers.visible(context),
                        Callers.of(context).name(),
                        project,
                        query.text("owner"),
                        query.text("q"),
                        cursor,
                        limit))
                .map(page -> Pages.of(page.items(), shape::of, page.next())))
        .map(Reply::ok);
  }

  private Future<Reply> show(RoutingContext context) {
    return seen(bus, context)
        .map(notebook -> {
          Revisions.tag(context, notebook.revision());
          return Reply.ok(shape.of(notebook));
        });
  }

  private Future<Reply> events(RoutingContext context) {
    return seen(bus, context)
        .compose(notebook -> bus.request(Notebooks.EVENTS, new Notebooks.EventsOf(notebook.name())))
        .map(events ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(events.items(), NotebookShape::of, null),
                    "/number")));
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Reply> create(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody document = document(text);
          String written = document.json().path("name").asText("");
          String name = written.isEmpty() ? fresh(Callers.of(context)) : written;
          if (!NotebookName.valid(name)) {
            throw new Problem.Refused(
                    new Finding("/name", "'" + name + "' is no name: " + NotebookName.RULE))
                .toException();
          }
          return put(context, new NotebookName(name), document, true);
        });
  }

  /** A name of the form {@code ann-3f2a}. */
  private String fresh(Caller caller) {
    String user = UserName.valid(caller.name()) ? caller.name() : "notebook";
    return "%s-%04x"
        .formatted(user.substring(0, Math.min(40, user.length())), random.nextInt(SUFFIXES));
  }

  /** Creates a notebook or changes one. */
  private Future<Reply> put(RoutingContext context) {
    NotebookName name = name(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody document = document(text);
          return Absent.of(
                  bus.request(Notebooks.GET, new Notebooks.GetNotebook(name))
                      .map(found -> require(context, found, Need.CHANGE)))
              .compose(found -> put(context, name, document, found.isEmpty()));
        });
  }

  private Future<Reply> put(
      RoutingContext context, NotebookName name, DocumentBody document, boolean creates) {
    boolean dryRun = Query.of(context).flag("dryRun");
    Future<ResourceOwner> owned =
        creates
            ? projects.forCreation(context, document.project(context))
            : Future.succeededFuture(ResourceOwner.PUBLIC);
    Future<Notebooks.PutDone> done =
        owned.compose(owner ->
            bus.request(
                Notebooks.PUT,
                new Notebooks.PutNotebook(
                    Callers.actor(context),
                    name,
                    owner.project(),
                    Json.write(document.json()),
                    creates,
                    Revisions.expected(context),
                    dryRun)));
    return document.placed(done).map(put -> answer(context, name, put, dryRun));
  }

  private Reply answer(
      RoutingContext context, NotebookName name, Notebooks.PutDone done, boolean dryRun) {
    Notebook notebook = done.notebook();
    if (notebook != null && !dryRun) {
      Revisions.tag(context, notebook.revision());
    }
    return DocumentReply.of(
        ALL + "/" + name,
        notebook == null ? null : shape.of(notebook),
        done.outcome(),
        done.notices(),
        dryRun);
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(bus, context, Need.CHANGE)
        .compose(notebook ->
            bus.request(
                Notebooks.DELETE,
                new Notebooks.OfNotebook(Callers.actor(context), notebook.name())))
        .map(Reply.empty(204));
  }

  // ---- helpers -------------------------------------------------------------------------------

  private static DocumentBody document(String text) {
    return DocumentBody.read(text, "notebook", NotebookShape.ADDED);
  }

  /** The name in the path; what can be no name exists not. */
  static NotebookName name(RoutingContext context) {
    String text = context.pathParam("notebook");
    if (!NotebookName.valid(text)) {
      throw new Problem.NotFound("There is no notebook '" + text + "'.").toException();
    }
    return new NotebookName(text);
  }

  /**
   * The notebook of the path, if the caller may see it: by its project, or because it is shared.
   */
  static Future<Notebook> seen(Bus bus, RoutingContext context) {
    return bus.request(Notebooks.GET, new Notebooks.GetNotebook(name(context)))
        .map(notebook ->
            isPersonal(Callers.of(context), notebook)
                ? notebook
                : require(context, notebook, Need.READ));
  }

  /** Whether a caller is the owner, or one with whom the notebook is shared. */
  static boolean isPersonal(Caller caller, Notebook notebook) {
    return !caller.name().isEmpty()
        && (caller.name().equals(notebook.owner()) || notebook.share().contains(caller.name()));
  }

  /** The notebook of the path, upon which the caller may do something. */
  static Future<Notebook> allowed(Bus bus, RoutingContext context, Need need) {
    return seen(bus, context).map(notebook -> require(context, notebook, need));
  }

  private static Notebook require(RoutingContext context, @Nullable Notebook notebook, Need need) {
    Notebook known = Objects.requireNonNull(notebook);
    Caller caller = Callers.of(context);
    try {
      Callers.require(
          caller,
          need,
          new ResourceOwner(known.project(), known.owner()),
          "notebook " + known.name());
    } catch (ProblemException refused) {
      if (Problem.of(refused) instanceof Problem.NotFound && isPersonal(caller, known)) {
        throw new Problem.Forbidden(
                "Notebook %s is shared with you: only its owner may change it."
                    .formatted(known.name()))
            .toException();
      }
      throw refused;
    }
    return known;
  }
}
