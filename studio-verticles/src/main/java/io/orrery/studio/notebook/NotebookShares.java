package io.orrery.studio.notebook;

import io.orrery.core.access.UserName;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The statements about those who may enter notebooks. */
public final class NotebookShares {
  private NotebookShares() {}

  /** The statements that store with whom a notebook is shared. */
  static List<Statement> share(NotebookName name, List<String> users) {
    List<Statement> all = new ArrayList<>();
    all.add(Statement.of("delete from notebook_shares where notebook = ?", name.value()));
    users.forEach(user ->
        all.add(
            Statement.of(
                "insert into notebook_shares (notebook, user_name) values (?, ?)",
                name.value(),
                user)));
    return all;
  }

  /** The statements that end the passes of what a user could enter. */
  public static List<Statement> endPasses(UserName user) {
    return List.of(
        Statement.of(
            "update notebooks set epoch = epoch + 1 where owner = ?"
                + " or name in (select notebook from notebook_shares where user_name = ?)",
            user.value(),
            user.value()));
  }
}
