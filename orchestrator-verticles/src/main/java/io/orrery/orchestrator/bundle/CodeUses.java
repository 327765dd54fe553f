package io.orrery.orchestrator.bundle;

import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;

/** The rows that name users of uploaded code. Code that has one is not dropped. */
public final class CodeUses {
  /** The schema of bundles and of their users. */
  public static final Migrations MIGRATIONS = BundleTable.MIGRATIONS;

  private CodeUses() {}

  /**
   * The statement that notes a user, to be stored with what needs the code.
   *
   * @param by a name of the user, such as {@code run-4f2a}
   */
  public static Statement insert(String digest, String by) {
    return Statement.of(
        "insert into code_uses (digest, used_by) values (?, ?)"
            + " on conflict (digest, used_by) do nothing",
        digest,
        by);
  }

  /** The statement that takes back all that a user needs. */
  public static Statement deleteAllOf(String by) {
    return Statement.of("delete from code_uses where used_by = ?", by);
  }
}
