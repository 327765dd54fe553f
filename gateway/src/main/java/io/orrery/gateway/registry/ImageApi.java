package io.orrery.gateway.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Images;
import io.orrery.core.bus.contract.Images.CatalogImage;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.ImageState;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The API of the catalogue of images, {@code /api/v1/images}. */
final class ImageApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/images";
  private static final String ONE = ALL + "/:image";
  private static final int MAX_BYTES = 16 << 10;
  private static final int MOST_NAME = 400;
  private static final List<String> KEYS = List.of("name", "project", "description");

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;

  public ImageApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    router.post(ALL, RouteNeed.STUDIO, this::add, "project", "dryRun");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.post(ONE + "/check", RouteNeed.STUDIO, this::check);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Images.LIST,
            new Images.ListImages(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("owner"),
                query.text("q"),
                query.read("status", ImageApi::state)))
        .map(
            all -> Reply.ok(Pages.cut(query, Pages.of(all.items(), ImageApi::shape, null), "/id")));
  }

  private static ImageState state(String text) {
    return Arrays.stream(ImageState.values())
        .filter(state -> state.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() ->
            new Problem.Refused(
                    new Finding("", "status is one of " + Arrays.toString(ImageState.values())))
                .toException());
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ).map(image -> answer(context, image));
  }

  private static Reply answer(RoutingContext context, CatalogImage image) {
    Revisions.tag(context, image.revision());
    return Reply.ok(shape(image));
  }

  private Future<Reply> add(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody body = DocumentBody.read(text, "image", List.of());
          Fields fields = Fields.of(body.json(), KEYS);
          String name = fields.text("name", MOST_NAME);
          Optional<ImageReference> image =
              name == null ? Optional.empty() : ImageReference.parse(name);
          if (image.isEmpty()) {
            fields.wrong("name", "an image is " + ImageReference.RULE);
          }
          String description = fields.text("description", Images.MOST_DESCRIPTION);
          ProjectName wanted = body.project(context);
          fields.check();
          return projects
              .forCreation(context, wanted)
              .compose(owner ->
                  changeable(context, owner.project(), image.orElseThrow().toString())
                      .compose(may ->
                          bus.request(
                              Images.ADD,
                              new Images.AddImage(
                                  Callers.actor(context),
                                  owner.project(),
                                  Objects.requireNonNull(name),
                                  description,
                                  dryRun))));
        })
        .map(done -> {
          if (!dryRun) {
            Revisions.tag(context, done.image().revision());
          }
          return DocumentReply.of(
              ALL + "/" + done.image().id(),
              shape(done.image()),
              done.outcome(),
              List.of(),
              dryRun);
        });
  }

  /** Fails with Forbidden when the image is there and is another's. */
  private Future<Optional<CatalogImage>> changeable(
      RoutingContext context, ProjectName project, String name) {
    return Absent.of(
        bus.request(Images.GET, new Images.GetImage(Images.id(project, name)))
            .map(image -> require(context, image, Need.CHANGE)));
  }

  private Future<Reply> check(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(image -> bus.request(Images.CHECK, new Images.GetImage(image.id())))
        .map(image -> answer(context, image));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(image ->
            bus.request(Images.DELETE, new Images.DeleteImage(Callers.actor(context), image.id())))
        .map(Reply.empty(204));
  }

  /** The image of the path, upon which the caller may do something. */
  private Future<CatalogImage> allowed(RoutingContext context, Need need) {
    return bus.request(Images.GET, new Images.GetImage(context.pathParam("image")))
        .map(image -> require(context, image, need));
  }

  private static CatalogImage require(RoutingContext context, CatalogImage image, Need need) {
    Callers.require(
        Callers.of(context),
        need,
        new ResourceOwner(image.project(), image.owner()),
        "image '" + image.id() + "'");
    return image;
  }

  private static ObjectNode shape(CatalogImage image) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("id", image.id())
            .put("name", image.name())
            .put("project", image.project().value())
            .put("owner", image.owner())
            .put("description", image.description())
            .put("digest", image.digest());
    shape
        .putObject("state")
        .put("status", image.state().name())
        .put("digest", image.presentDigest())
        .put("reason", image.reason())
        .put("checkedAt", Wire.time(image.checkedAt()));
    return shape
        .put("createdAt", Wire.time(image.createdAt()))
        .put("changedAt", Wire.time(image.changedAt()))
        .put("revision", image.revision());
  }
}
