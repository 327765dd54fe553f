package io.orrery.studio.build;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.OldImages;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.ImageWords;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions;
import io.orrery.core.sql.TextMentions.Place;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.build.PushedImageTable.Push;
import io.orrery.studio.retention.OldObjects;
import io.orrery.studio.retention.UnnamedFiles;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The images in registries that builds have pushed and that nothing names. A text may name one by
 * its digest or by a tag. Which tags an image has the registry alone knows, since others push there
 * too: it is asked before a removal, and by what was pushed last the others of a list are judged.
 */
public final class PushedImages implements OldObjects {
  private static final List<Place> PLACES =
      Stream.concat(
              UnnamedFiles.places().stream(),
              Stream.of(
                  new Place("image of the catalogue", "images", "id", List.of("name", "digest"))))
          .toList();

  private final Bus bus;
  private final AuditedChanges changes;
  private final BuildTable builds;
  private final PushedImageTable pushes;
  private final TextMentions mentions;

  /** Those whose pushes a store has. */
  public PushedImages(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.builds = new BuildTable(store);
    this.pushes = new PushedImageTable(store);
    this.mentions = new TextMentions(store, PLACES);
  }

  /** The texts of the studio that may name images. */
  public static List<Place> places() {
    return PLACES;
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return pushes
        .old(before, cursor, limit)
        .compose(images ->
            named(images)
                .compose(names -> {
                  List<OldObject> items = new ArrayList<>();
                  return AsyncLoop.inTurn(
                          images,
                          image ->
                              pushes
                                  .toRepositoryOf(image)
                                  .onSuccess(
                                      all -> object(image, all, names).ifPresent(items::add)))
                      .map(done ->
                          new Found(
                              items, images.size() < limit ? null : images.getLast().toString()));
                }));
  }

  /** An image as it is by what was pushed. */
  private static Optional<OldObject> object(
      ImageReference image, List<Push> all, Map<String, String> names) {
    List<Push> own = all.stream().filter(push -> push.image().equals(image)).toList();
    if (own.isEmpty()) {
      return Optional.empty();
    }
    Set<String> replaced = new HashSet<>();
    List<String> tags = new ArrayList<>();
    for (Push push : all) {
      if (replaced.add(push.tag()) && push.image().equals(image)) {
        tags.add(push.tag());
      }
    }
    Push last = own.getFirst();
    return Optional.of(
        new OldObject(
            Kind.IMAGES, image.toString(), last.project(), 1, last.at(), user(image, tags, names)));
  }

  private static @Nullable String user(
      ImageReference image, Collection<String> tags, Map<String, String> names) {
    return names.get(ImageWords.naming(image, tags, names::containsKey));
  }

  /** Finds the texts of the studio and of the orchestrator that name images. */
  private Future<Map<String, String>> named(List<ImageReference> images) {
    if (images.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    ImageWords words = new ImageWords(images);
    List<String> names = images.stream().map(ImageReference::toString).toList();
    return mentions
        .find(words.parts(), words::in)
        .compose(here ->
            bus.request(OldImages.NAMED, new OldImages.AskNamed(names))
                .map(there -> {
                  Map<String, String> all = new HashMap<>(there.users());
                  all.putAll(here);
                  return all;
                }));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    ImageReference image =
        ImageReference.parse(object.name())
            .filter(parsed -> parsed.digest() != null)
            .orElseThrow(() -> gone(object.name()));
    return pushes
        .toRepositoryOf(image)
        .compose(all -> {
          Push last =
              all.stream()
                  .filter(push -> push.image().equals(image))
                  .findFirst()
                  .orElseThrow(() -> gone(object.name()));
          if (!last.at().isBefore(before)) {
            throw conflict(image, "was pushed again meanwhile");
          }
          return requireUnused(last, all).compose(free -> remove(by, last));
        });
  }

  private static RuntimeException gone(String image) {
    return new Problem.NotFound("There is no image %s.".formatted(image)).toException();
  }

  private static RuntimeException conflict(ImageReference image, String why) {
    return new Problem.Conflict("%s %s.".formatted(image, why)).toException();
  }

  /** Fails with Conflict when something uses an image, or might while it is removed. */
  private Future<Void> requireUnused(Push push, List<Push> all) {
    ImageReference image = push.image();
    return builds
        .unfinished()
        .compose(running -> {
          running.stream()
              .filter(build -> pushesTo(build.spec().target(), image))
              .findFirst()
              .ifPresent(build -> {
                throw conflict(
                    image, "is in the repository that build %s pushes to".formatted(build.name()));
              });
          return bus.request(
              OldImages.TAGS, new OldImages.FindTags(push.project(), image.toString()));
        })
        .compose(found -> {
          if (found.reason() != null) {
            throw new Problem.Broken(found.reason()).toException();
          }
          requireOwn(image, found, all);
          return named(List.of(image))
              .map(names -> {
                String user = user(image, found.tags(), names);
                if (user != null) {
                  throw conflict(image, "is used by " + user);
                }
                return null;
              });
        });
  }

  private static boolean pushesTo(String target, ImageReference image) {
    return ImageReference.parse(target)
        .filter(other ->
            other.host().equals(image.host()) && other.repository().equals(image.repository()))
        .isPresent();
  }

  /** Fails with Conflict when an image has a name that others have given it. */
  private static void requireOwn(ImageReference image, OldImages.FoundTags found, List<Push> all) {
    if (found.holder() != null) {
      throw conflict(image, "is a part of the index under the tag " + found.holder());
    }
    Set<String> own = all.stream().map(Push::tag).collect(Collectors.toSet());
    found.tags().stream()
        .filter(tag -> !own.contains(tag))
        .findFirst()
        .ifPresent(tag -> {
          throw conflict(image, "has the tag %s, which no build has pushed".formatted(tag));
        });
  }

  /**
   * Removes an image and forgets it. What ends in between is done again: the registry answers that
   * the image is gone, and the removal gets into the log then.
   */
  private Future<Void> remove(Actor by, Push push) {
    return bus.request(
            OldImages.REMOVE, new OldImages.RemoveImage(push.project(), push.image().toString()))
        .compose(removed -> {
          if (removed.reason() != null) {
            throw new Problem.Broken(removed.reason()).toException();
          }
          return changes.commitObject(
              by,
              new What(
                  "delete",
                  Kind.IMAGES.word(),
                  push.image().toString(),
                  push.project(),
                  "pushed by build %s at %s, last under %s"
                      .formatted(push.build(), push.at(), push.tag())),
              List.of(PushedImageTable.drop(push.image())));
        });
  }
}
