package io.orrery.studio.environment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The instants at which environments were chosen last for something that is to run. Between its
 * choice and the moment at which something names it, an environment is not unused.
 */
public final class EnvironmentChoices {
  private static final Duration NEWS = Duration.ofHours(1);
  private static final int PAGE = 500;

  private final Store store;

  public EnvironmentChoices(Store store) {
    this.store = store;
  }

  /** An environment of a project. */
  record Environment(ProjectName project, String digest) {}

  private record Choice(Environment environment, Instant at) {}

  /**
   * Notes a choice, unless one of the last hour is noted; completes when it is durable.
   *
   * @param digest with {@code sha256:} in front, here as below
   */
  public Future<Void> note(ProjectName project, String digest, Instant now) {
    return last(project, digest)
        .compose(last ->
            last.isPresent() && last.get().isAfter(now.minus(NEWS))
                ? Future.succeededFuture()
                : store.write(
                    List.of(
                        Statement.of(
                            "insert into environment_choices (project, digest, at)"
                                + " values (?, ?, ?) on conflict (project, digest)"
                                + " do update set at = excluded.at",
                            project.value(),
                            digest,
                            now.toEpochMilli()))));
  }

  /** The last choice; empty when none was noted. */
  public Future<Optional<Instant>> last(ProjectName project, String digest) {
    return store
        .read(
            Statement.of(
                "select at from environment_choices where project = ? and digest = ?",
                project.value(),
                digest),
            row -> row.instant("at"))
        .map(rows -> rows.stream().findFirst());
  }

  /** The last choices of all environments that were ever chosen and are not gone. */
  Future<Map<Environment, Instant>> all() {
    Map<Environment, Instant> all = new HashMap<>();
    return AsyncLoop.pages(after ->
            page(after == null ? "" : after)
                .map(page -> {
                  page.forEach(choice -> all.put(choice.environment(), choice.at()));
                  return page.size() < PAGE ? null : key(page.getLast().environment());
                }))
        .map(all);
  }

  private Future<List<Choice>> page(String after) {
    return store.read(
        Statement.of(
            "select project, digest, at from environment_choices where project || ' ' || digest > ?"
                + " order by project || ' ' || digest limit "
                + PAGE,
            after),
        row ->
            new Choice(
                new Environment(new ProjectName(row.text("project")), row.text("digest")),
                row.instant("at")));
  }

  private static String key(Environment environment) {
    return environment.project() + " " + environment.digest();
  }

  /** The statement that forgets an environment that is gone. */
  static Statement forget(ProjectName project, String digest) {
    return Statement.of(
        "delete from environment_choices where project = ? and digest = ?",
        project.value(),
        digest);
  }
}
