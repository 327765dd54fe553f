package io.orrery.studio.registry;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Images;
import io.orrery.core.bus.contract.Images.AddImage;
import io.orrery.core.bus.contract.Images.AddImageDone;
import io.orrery.core.bus.contract.Images.CatalogImage;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.ImageState;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers questions about the catalogue of images. */
public final class ImageHandler {
  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;
  private final ImageTable table;

  public ImageHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.table = new ImageTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Images.LIST, this::list),
            bus.serve(Images.GET, asked -> get(asked.id())),
            bus.serve(Images.ADD, this::add),
            bus.serve(Images.CHECK, this::check),
            bus.serve(Images.DELETE, this::delete)));
  }

  private Future<Images.ImageList> list(Images.ListImages asked) {
    return table
        .among(asked.among())
        .map(images ->
            new Images.ImageList(
                images.stream()
                    .filter(image -> asked.owner() == null || asked.owner().equals(image.owner()))
                    .filter(image -> asked.state() == null || asked.state() == image.state())
                    .filter(image ->
                        asked.q() == null
                            || image.name().contains(asked.q())
                            || image.description().contains(asked.q()))
                    .toList()));
  }

  private Future<CatalogImage> get(String id) {
    return table
        .find(id)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no image '" + id + "'.").toException()));
  }

  private Future<AddImageDone> add(AddImage wanted) {
    ImageReference image = ImageReference.parse(wanted.name()).orElse(null);
    String description = wanted.description();
    if (image == null) {
      throw refused("/name", "an image is " + ImageReference.RULE);
    }
    if (description != null && description.length() > Images.MOST_DESCRIPTION) {
      throw refused(
          "/description",
          "a description has at most %,d characters".formatted(Images.MOST_DESCRIPTION));
    }
    String name = image.toString();
    return bus.request(Registries.IMAGE, new Registries.FindImage(wanted.project(), name))
        .compose(found -> {
          String digest = found.digest();
          if (digest == null) {
            throw refused("/name", Objects.requireNonNullElse(found.reason(), "it is not there"));
          }
          if (image.digest() != null && !image.digest().equals(digest)) {
            throw refused("/name", "its tag names " + digest);
          }
          return table
              .find(Images.id(wanted.project(), name))
              .compose(known -> added(wanted, name, digest, known.orElse(null)));
        });
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }

  private Future<AddImageDone> added(
      AddImage wanted, String name, String digest, @Nullable CatalogImage before) {
    Instant now = now();
    String known = before == null ? "" : before.description();
    CatalogImage image =
        new CatalogImage(
            Images.id(wanted.project(), name),
            wanted.project(),
            before == null ? wanted.by().name() : before.owner(),
            name,
            Objects.requireNonNullElse(wanted.description(), known),
            digest,
            ImageState.PRESENT,
            digest,
            null,
            now,
            before == null ? now : before.createdAt(),
            now,
            before == null ? 1 : before.revision() + 1);
    if (before != null
        && before.digest().equals(digest)
        && before.description().equals(image.description())) {
      CatalogImage same = looked(before, new FoundImage(digest, true, null));
      Future<Void> kept =
          wanted.dryRun() ? Future.succeededFuture() : store.write(List.of(ImageTable.look(same)));
      return kept.map(done -> new AddImageDone(same, Outcome.UNCHANGED));
    }
    AddImageDone done = new AddImageDone(image, before == null ? Outcome.CREATED : Outcome.CHANGED);
    return table
        .count(wanted.project())
        .compose(count -> {
          if (before == null && count >= Images.MOST_IMAGES) {
            throw new Problem.Conflict(
                    "Project %s has %,d images: delete one first."
                        .formatted(wanted.project(), Images.MOST_IMAGES))
                .toException();
          }
          return wanted.dryRun()
              ? Future.succeededFuture(done)
              : changes
                  .commitObject(
                      wanted.by(),
                      new What(
                          before == null ? "create" : "change",
                          "image",
                          name,
                          wanted.project(),
                          digest),
                      List.of(ImageTable.put(image)))
                  .map(done);
        });
  }

  private Future<CatalogImage> check(Images.GetImage asked) {
    return get(asked.id())
        .compose(image ->
            bus.request(Registries.IMAGE, new Registries.FindImage(image.project(), image.name()))
                .compose(found -> {
                  CatalogImage now = looked(image, found);
                  return store.write(List.of(ImageTable.look(now))).map(now);
                }));
  }

  /** An image after a look at its registry. */
  private CatalogImage looked(CatalogImage image, FoundImage found) {
    String digest = found.digest();
    ImageState state;
    String reason = found.reason();
    if (digest == null) {
      state = found.asked() ? ImageState.GONE : ImageState.UNKNOWN;
    } else if (digest.equals(image.digest())) {
      state = ImageState.PRESENT;
    } else {
      state = ImageState.MOVED;
      reason = "its tag names %s now, and named %s".formatted(digest, image.digest());
    }
    return new CatalogImage(
        image.id(),
        image.project(),
        image.owner(),
        image.name(),
        image.description(),
        image.digest(),
        state,
        digest,
        reason,
        now(),
        image.createdAt(),
        image.changedAt(),
        image.revision());
  }

  /** As it is stored. */
  private Instant now() {
    return changes.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private Future<Done> delete(Images.DeleteImage wanted) {
    return get(wanted.id())
        .compose(image ->
            changes.commitObject(
                wanted.by(),
                new What("delete", "image", image.name(), image.project(), ""),
                List.of(ImageTable.drop(image))))
        .map(new Done());
  }
}
