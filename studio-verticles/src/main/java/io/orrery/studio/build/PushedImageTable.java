package io.orrery.studio.build;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.ImageReference;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of images that builds have pushed. */
final class PushedImageTable {
  private static final String IMAGE = "repository || '@' || digest";

  private final Store store;

  PushedImageTable(Store store) {
    this.store = store;
  }

  /**
   * A push of an image.
   *
   * @param image with its digest and without a tag
   * @param project with whose account it was pushed
   */
  record Push(ImageReference image, String tag, ProjectName project, String build, Instant at) {}

  /** The push of a build that has succeeded; empty for an environment and one that has not. */
  static Optional<Push> of(ImageBuild build) {
    Instant ended = build.endedAt();
    String digest = build.digest();
    if (build.status() != BuildStatus.SUCCEEDED
        || build.spec().isEnvironment()
        || ended == null
        || digest == null
        || !ImageReference.isDigest(digest)) {
      return Optional.empty();
    }
    return ImageReference.parse(build.spec().target())
        .map(target ->
            new Push(
                new ImageReference(target.host(), target.repository(), null, digest),
                target.tag() == null ? "latest" : target.tag(),
                build.project(),
                build.name(),
                ended));
  }

  /** The statement that notes a push, unless a later one of the same image and tag is noted. */
  static Statement put(Push push) {
    return Statement.of(
        "insert into pushed_images (repository, digest, tag, project, build, pushed_at)"
            + " values (?, ?, ?, ?, ?, ?) on conflict (repository, digest, tag) do update set"
            + " project = excluded.project, build = excluded.build,"
            + " pushed_at = excluded.pushed_at"
            + " where pushed_images.pushed_at < excluded.pushed_at",
        repository(push.image()),
        push.image().digest(),
        push.tag(),
        push.project().value(),
        push.build(),
        push.at().toEpochMilli());
  }

  /** The name of the repository of an image, with the host. */
  private static String repository(ImageReference image) {
    return image.host() + "/" + image.repository();
  }

  /** The statement that forgets an image under all of its tags. */
  static Statement drop(ImageReference image) {
    return Statement.of(
        "delete from pushed_images where repository = ? and digest = ?",
        repository(image),
        image.digest());
  }

  /** The statement that forgets the images of a project. */
  static Statement drop(ProjectName project) {
    return Statement.of("delete from pushed_images where project = ?", project.value());
  }

  /**
   * A page of the images whose last push is before an instant, by name.
   *
   * @param after the last of the page before; null for the first page
   */
  Future<List<ImageReference>> old(Instant before, @Nullable String after, int limit) {
    return store.read(
        Statement.of(
            "select %1$s as image from pushed_images where %1$s > ? group by repository, digest having max(pushed_at) < ? order by %1$s limit ?"
                .formatted(IMAGE),
            after == null ? "" : after,
            before.toEpochMilli(),
            (long) limit),
        row -> image(row.text("image")));
  }

  /** The pushes to the repository of an image, of all images, latest first. */
  Future<List<Push>> toRepositoryOf(ImageReference image) {
    return store.read(
        Statement.of(
            "select %s as image, tag, project, build, pushed_at from pushed_images where repository = ? order by pushed_at desc, digest, tag"
                .formatted(IMAGE),
            repository(image)),
        PushedImageTable::row);
  }

  /**
   * The pushes of an image that a build has made, latest first; then those of the same by others of
   * the project, which take its place when they push to its tag.
   */
  Future<List<Push>> of(ImageBuild build, String digest) {
    return store.read(
        Statement.of(
            "select %s as image, tag, project, build, pushed_at from pushed_images where digest = ? and project = ? order by case when build = ? then 0 else 1 end, pushed_at desc, repository, tag"
                .formatted(IMAGE),
            digest,
            build.project().value(),
            build.name()),
        PushedImageTable::row);
  }

  private static ImageReference image(String text) {
    return ImageReference.parse(text).orElseThrow();
  }

  private static Push row(Row row) {
    return new Push(
        image(row.text("image")),
        row.text("tag"),
        new ProjectName(row.text("project")),
        row.text("build"),
        row.instant("pushed_at"));
  }
}
