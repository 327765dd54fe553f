package io.orrery.studio.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Images.CatalogImage;
import io.orrery.core.image.ImageState;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of images. */
final class ImageTable {
  private static final String COLUMNS =
      "id, project, owner, name, description, digest, state, present_digest, reason, checked_at,"
          + " created_at, changed_at, revision";
  private static final String SELECT = "select " + COLUMNS + " from images";

  private final Store store;

  ImageTable(Store store) {
    this.store = store;
  }

  /**
   * The images of projects, by name.
   *
   * @param among null for all projects
   */
  Future<List<CatalogImage>> among(@Nullable List<ProjectName> among) {
    return ProjectRows.read(store, SELECT, among, "name, project", ImageTable::row);
  }

  Future<Long> count(ProjectName project) {
    return store
        .read(
            Statement.of(
                "select count(*) as images from images where project = ?", project.value()),
            row -> row.integer("images"))
        .map(List::getFirst);
  }

  Future<Optional<CatalogImage>> find(String id) {
    return store
        .read(Statement.of(SELECT + " where id = ?", id), ImageTable::row)
        .map(rows -> rows.stream().findFirst());
  }

  /** The statement that stores an image; it fails when another change came first. */
  static Statement put(CatalogImage image) {
    return image.revision() == 1
        ? Statement.of(
                "insert into images ("
                    + COLUMNS
                    + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"
                    + " on conflict (id) do nothing",
                image.id(),
                image.project().value(),
                image.owner(),
                image.name(),
                image.description(),
                image.digest(),
                image.state().name(),
                image.presentDigest(),
                image.reason(),
                image.checkedAt().toEpochMilli(),
                image.createdAt().toEpochMilli(),
                image.changedAt().toEpochMilli())
            .expecting(1)
        : Statement.of(
                "update images set description = ?, digest = ?, state = ?, present_digest = ?,"
                    + " reason = ?, checked_at = ?, changed_at = ?, revision = ?"
                    + " where id = ? and revision = ?",
                image.description(),
                image.digest(),
                image.state().name(),
                image.presentDigest(),
                image.reason(),
                image.checkedAt().toEpochMilli(),
                image.changedAt().toEpochMilli(),
                image.revision(),
                image.id(),
                image.revision() - 1)
            .expecting(1);
  }

  /** The statement that stores what a look found; nothing, when the image has changed meanwhile. */
  static Statement look(CatalogImage image) {
    return Statement.of(
        "update images set state = ?, present_digest = ?, reason = ?, checked_at = ?"
            + " where id = ? and revision = ?",
        image.state().name(),
        image.presentDigest(),
        image.reason(),
        image.checkedAt().toEpochMilli(),
        image.id(),
        image.revision());
  }

  static Statement drop(CatalogImage image) {
    return Statement.of("delete from images where id = ?", image.id()).expecting(1);
  }

  private static CatalogImage row(Row row) {
    return new CatalogImage(
        row.text("id"),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("name"),
        row.text("description"),
        row.text("digest"),
        ImageState.valueOf(row.text("state")),
        row.textOrNull("present_digest"),
        row.textOrNull("reason"),
        row.instant("checked_at"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }
}
