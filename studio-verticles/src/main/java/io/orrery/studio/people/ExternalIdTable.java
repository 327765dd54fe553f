package io.orrery.studio.people;

import io.orrery.core.access.UserName;
import io.orrery.core.bus.contract.People.ExternalId;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.Optional;

/** The rows of ids that users have at an OpenID provider. */
final class ExternalIdTable {
  private final Store store;

  ExternalIdTable(Store store) {
    this.store = store;
  }

  /** The user of an id. */
  Future<Optional<UserName>> find(ExternalId id) {
    return store
        .read(
            Statement.of(
                "select user_name from external_ids where issuer = ? and subject = ?",
                id.issuer(),
                id.subject()),
            row -> new UserName(row.text("user_name")))
        .map(rows -> rows.stream().findFirst());
  }

  /** Whether a user has an id at a provider. */
  Future<Boolean> has(UserName user) {
    return store
        .read(
            Statement.of(
                "select count(*) as n from external_ids where user_name = ?", user.value()),
            row -> row.integer("n") > 0)
        .map(rows -> rows.getFirst());
  }

  static Statement insert(ExternalId id, UserName user) {
    return Statement.of(
        "insert into external_ids (issuer, subject, user_name) values (?, ?, ?)",
        id.issuer(),
        id.subject(),
        user.value());
  }

  static Statement delete(UserName user) {
    return Statement.of("delete from external_ids where user_name = ?", user.value());
  }
}
