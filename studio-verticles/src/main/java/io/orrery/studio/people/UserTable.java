package io.orrery.studio.people;

import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.People.CreateUser;
import io.orrery.core.bus.contract.People.ListUsers;
import io.orrery.core.bus.contract.People.User;
import io.orrery.core.bus.contract.People.UserPage;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of user accounts and the codes of their set-up links. */
final class UserTable {
  private static final String COLUMNS =
      "name, display_name, mail, role, active, password, created_at, changed_at, revision";

  private static final List<String> NAMES = List.of("lower(name)", "lower(display_name)");
  private static final List<String> NAMES_AND_MAIL =
      List.of("lower(name)", "lower(display_name)", "lower(mail)");

  private final Store store;

  /**
   * An account with its password.
   *
   * @param password a PHC string; null when none has been set
   */
  record Account(User user, @Nullable String password) {}

  /**
   * The code of a set-up link.
   *
   * @param user null when it is for the first administrator
   */
  record SetUpCode(@Nullable UserName user, Instant endsAt) {}

  UserTable(Store store) {
    this.store = store;
  }

  Future<Optional<Account>> find(UserName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from users where name = ?", name.value()),
            UserTable::account)
        .map(rows -> rows.stream().findFirst());
  }

  /** The account; fails with NotFound. */
  Future<Account> get(UserName name) {
    return find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no user " + name + ".").toException()));
  }

  /** A page in the order of the names; the cursor is the last name. */
  Future<UserPage> page(ListUsers wanted) {
    UserRole role = wanted.role();
    Boolean active = wanted.active();
    Where where =
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .contains(wanted.byMail() ? NAMES_AND_MAIL : NAMES, wanted.text())
            .equal("role", role == null ? null : role.word())
            .equal("active", active == null ? null : active ? 1 : 0);
    return store
        .read(
            where.page("select " + COLUMNS + " from users", "name", wanted.limit()),
            row -> account(row).user())
        .map(rows -> {
          boolean more = rows.size() > wanted.limit();
          List<User> items = more ? rows.subList(0, wanted.limit()) : rows;
          return new UserPage(items, more ? items.getLast().name().value() : null);
        });
  }

  /** How many active administrators there are besides one. */
  Future<Long> otherAdmins(UserName name) {
    return store
        .read(
            Statement.of(
                "select count(*) as n from users where role = 'admin' and active = 1 and name <> ?",
                name.value()),
            row -> row.integer("n"))
        .map(List::getFirst);
  }

  Future<Boolean> empty() {
    return store
        .read(Statement.of("select count(*) as n from users"), row -> row.integer("n") == 0)
        .map(List::getFirst);
  }

  static Statement insert(
      UserName name,
      String displayName,
      String mail,
      UserRole role,
      boolean active,
      @Nullable String password,
      Instant now) {
    return Statement.of(
        "insert into users (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, 1)",
        name.value(),
        displayName,
        mail,
        role.word(),
        active,
        password,
        now.toEpochMilli(),
        now.toEpochMilli());
  }

  static Statement insert(CreateUser wanted, Instant now) {
    boolean active = !Boolean.FALSE.equals(wanted.active());
    return insert(
        wanted.name(), wanted.displayName(), wanted.mail(), wanted.role(), active, null, now);
  }

  /** The statement that stores an account which has been changed; it fails when that was older. */
  static Statement update(User user, long before) {
    return Statement.of(
            "update users set display_name = ?, mail = ?, role = ?, active = ?, changed_at = ?,"
                + " revision = ? where name = ? and revision = ?",
            user.displayName(),
            user.mail(),
            user.role().word(),
            user.active(),
            user.changedAt().toEpochMilli(),
            user.revision(),
            user.name().value(),
            before)
        .expecting(1);
  }

  /** The statement that changes nothing, and fails when no active administrator is left. */
  static Statement keepsAnAdmin() {
    return Statement.of(
            "update access_revision set revision = revision where id = 1 and exists (select 1 from"
                + " users where role = 'admin' and active = 1)")
        .expecting(1);
  }

  static Statement setPassword(UserName name, String phc, Instant now) {
    return Statement.of(
            "update users set password = ?, changed_at = ? where name = ?",
            phc,
            now.toEpochMilli(),
            name.value())
        .expecting(1);
  }

  static Statement delete(UserName name) {
    return Statement.of("delete from users where name = ?", name.value()).expecting(1);
  }

  // ---- set-up codes --------------------------------------------------------------------------

  Future<Optional<SetUpCode>> code(String digest) {
    return store
        .read(
            Statement.of("select user_name, ends_at from setup_codes where digest = ?", digest),
            row -> {
              String user = row.textOrNull("user_name");
              return new SetUpCode(
                  user == null ? null : new UserName(user), row.instant("ends_at"));
            })
        .map(rows -> rows.stream().findFirst());
  }

  static Statement insertCode(String digest, @Nullable UserName user, Instant endsAt) {
    return Statement.of(
        "insert into setup_codes (digest, user_name, ends_at) values (?, ?, ?)",
        digest,
        user == null ? null : user.value(),
        endsAt.toEpochMilli());
  }

  /** The statement that uses a code up; it fails when another request has. */
  static Statement useCode(String digest) {
    return Statement.of("delete from setup_codes where digest = ?", digest).expecting(1);
  }

  static Statement deleteCodes(@Nullable UserName user) {
    return user == null
        ? Statement.of("delete from setup_codes where user_name is null")
        : Statement.of("delete from setup_codes where user_name = ?", user.value());
  }

  private static Account account(Row row) {
    String password = row.textOrNull("password");
    return new Account(
        new User(
            new UserName(row.text("name")),
            row.text("display_name"),
            row.text("mail"),
            UserRole.of(row.text("role")).orElseThrow(),
            row.integer("active") == 1,
            password != null,
            row.instant("created_at"),
            row.instant("changed_at"),
            row.integer("revision")),
        password);
  }
}
