package io.orrery.studio.people;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.People.CreateToken;
import io.orrery.core.bus.contract.People.Scope;
import io.orrery.core.bus.contract.People.Token;
import io.orrery.core.json.Json;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of sessions and personal tokens, which are known by the digests of their secrets. */
final class SecretTable {
  /** How many sessions an account may have at once; the oldest end. */
  private static final int MOST_SESSIONS = 100;

  /**
   * Stands before the digest of a token in the place of a user's name: a session that was begun by
   * a token opens what the token does, and nothing when the token is gone.
   */
  private static final String TOKEN = "token:";

  private final Store store;

  SecretTable(Store store) {
    this.store = store;
  }

  /**
   * The holder of a secret.
   *
   * @param projects the only projects that the secret opens; null for all of its user's
   * @param endsAt null for never
   */
  record Holder(
      UserName name,
      UserRole role,
      Caller.Kind kind,
      boolean readOnly,
      @Nullable List<ProjectName> projects,
      @Nullable Instant endsAt) {}

  /** A session that was begun by a token, with the digest of the token. */
  record TokenSession(String token, Instant endsAt) {}

  private record Membership(ProjectName project, ProjectRole role) {}

  /** The active holder of a secret that has not ended. */
  Future<Optional<Holder>> find(String digest, Instant now) {
    return store
        .read(
            Statement.of(
                "select u.name, u.role, 'session' as kind, 'full' as scope, null as projects,"
                    + " s.ends_at from sessions s join users u on u.name = s.user_name"
                    + " where s.digest = ? and u.active = 1 and s.ends_at > ?"
                    + " union all select u.name, u.role, 'token', t.scope, t.projects, t.ends_at"
                    + " from personal_tokens t join users u on u.name = t.user_name"
                    + " where t.digest = ? and u.active = 1"
                    + " and (t.ends_at is null or t.ends_at > ?)"
                    + " union all select u.name, u.role, 'token', t.scope, t.projects,"
                    + " case when t.ends_at < s.ends_at then t.ends_at else s.ends_at end"
                    + " from sessions s join personal_tokens t on t.digest = substr(s.user_name, ?)"
                    + " join users u on u.name = t.user_name"
                    + " where s.digest = ? and s.ends_at > ? and u.active = 1"
                    + " and (t.ends_at is null or t.ends_at > ?)",
                digest,
                now.toEpochMilli(),
                digest,
                now.toEpochMilli(),
                TOKEN.length() + 1,
                digest,
                now.toEpochMilli(),
                now.toEpochMilli()),
            SecretTable::holder)
        .map(rows -> rows.stream().findFirst());
  }

  /** The session that was begun by a token. */
  Future<Optional<TokenSession>> tokenSession(String digest, Instant now) {
    return store
        .read(
            Statement.of(
                "select user_name, ends_at from sessions where digest = ? and ends_at > ?"
                    + " and user_name like ?",
                digest,
                now.toEpochMilli(),
                TOKEN + "%"),
            row ->
                new TokenSession(
                    row.text("user_name").substring(TOKEN.length()), row.instant("ends_at")))
        .map(rows -> rows.stream().findFirst());
  }

  private static Holder holder(Row row) {
    return new Holder(
        new UserName(row.text("name")),
        UserRole.of(row.text("role")).orElseThrow(),
        row.text("kind").equals("session") ? Caller.Kind.PERSON : Caller.Kind.TOKEN,
        row.text("scope").equals("read"),
        projects(row.textOrNull("projects")),
        row.instantOrNull("ends_at"));
  }

  /** The caller that a holder is, with the present roles in projects. */
  Future<Caller> caller(Holder holder) {
    return store
        .read(
            Statement.of(
                "select project, role from project_members where user_name = ?",
                holder.name().value()),
            row ->
                new Membership(
                    new ProjectName(row.text("project")),
                    ProjectRole.of(row.text("role")).orElseThrow()))
        .map(rows -> {
          Map<ProjectName, ProjectRole> roles = new HashMap<>();
          roles.put(ProjectName.PUBLIC, ProjectRole.MEMBER);
          rows.forEach(row -> roles.put(row.project(), row.role()));
          return caller(holder, roles);
        });
  }

  /** A token for some projects opens these alone, an administrator's too. */
  private static Caller caller(Holder holder, Map<ProjectName, ProjectRole> roles) {
    List<ProjectName> only = holder.projects();
    if (only == null) {
      return new Caller(
          holder.name().value(), holder.role(), holder.kind(), roles, holder.readOnly());
    }
    boolean admin = holder.role() == UserRole.ADMIN;
    Map<ProjectName, ProjectRole> narrowed = new HashMap<>();
    for (ProjectName project : only) {
      ProjectRole role = admin ? ProjectRole.CREATOR : roles.get(project);
      if (role != null) {
        narrowed.put(project, role);
      }
    }
    return new Caller(
        holder.name().value(),
        admin ? UserRole.USER : holder.role(),
        holder.kind(),
        narrowed,
        holder.readOnly());
  }

  // ---- sessions ------------------------------------------------------------------------------

  static List<Statement> openSession(String digest, UserName user, Instant now, Instant endsAt) {
    return openSession(digest, user.value(), now, endsAt);
  }

  /** Opens a session for the holder of a token. */
  static List<Statement> openTokenSession(
      String digest, String token, Instant now, Instant endsAt) {
    return openSession(digest, TOKEN + token, now, endsAt);
  }

  private static List<Statement> openSession(
      String digest, String holder, Instant now, Instant endsAt) {
    return List.of(
        Statement.of("delete from sessions where ends_at <= ?", now.toEpochMilli()),
        Statement.of(
            "delete from sessions where digest in (select digest from sessions where user_name = ?"
                + " order by created_at desc, digest limit 1000 offset ?)",
            holder,
            MOST_SESSIONS - 1),
        Statement.of(
            "insert into sessions (digest, user_name, created_at, ends_at) values (?, ?, ?, ?)",
            digest,
            holder,
            now.toEpochMilli(),
            endsAt.toEpochMilli()));
  }

  static Statement endSession(String digest) {
    return Statement.of("delete from sessions where digest = ?", digest);
  }

  static Statement endSessions(UserName user, @Nullable String butOne) {
    return Statement.of(
        "delete from sessions where user_name = ? and digest <> ?",
        user.value(),
        butOne == null ? "" : butOne);
  }

  // ---- tokens --------------------------------------------------------------------------------

  Future<List<Token>> tokens(UserName user) {
    return store.read(
        Statement.of(
            "select name, scope, projects, created_at, ends_at from personal_tokens"
                + " where user_name = ? order by name",
            user.value()),
        row ->
            new Token(
                row.text("name"),
                row.text("scope").equals("read") ? Scope.READ : Scope.FULL,
                projects(row.textOrNull("projects")),
                row.instant("created_at"),
                row.instantOrNull("ends_at")));
  }

  static Statement insertToken(CreateToken wanted, Instant now) {
    List<ProjectName> projects = wanted.projects();
    Instant ends = wanted.expiresAt();
    return Statement.of(
        "insert into personal_tokens (digest, user_name, name, scope, projects, created_at,"
            + " ends_at) values (?, ?, ?, ?, ?, ?, ?)",
        wanted.digest(),
        wanted.user().value(),
        wanted.name(),
        wanted.scope() == Scope.READ ? "read" : "full",
        projects == null ? null : Json.write(projects),
        now.toEpochMilli(),
        ends == null ? null : ends.toEpochMilli());
  }

  static Statement deleteToken(UserName user, String name) {
    return Statement.of(
        "delete from personal_tokens where user_name = ? and name = ?", user.value(), name);
  }

  static Statement deleteTokens(UserName user) {
    return Statement.of("delete from personal_tokens where user_name = ?", user.value());
  }

  private static @Nullable List<ProjectName> projects(@Nullable String json) {
    try {
      return json == null ? null : Json.MAPPER.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
