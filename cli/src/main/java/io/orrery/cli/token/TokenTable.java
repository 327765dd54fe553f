package io.orrery.cli.token;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.LabelledLines;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.ArrayList;
import java.util.List;

/** Prints personal tokens; the secret of one is never there to be printed. */
public final class TokenTable {
  private TokenTable() {}

  /** Prints a line for each token. */
  public static void print(Session session, List<JsonNode> tokens) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("SCOPE"),
            Column.text("PROJECTS"),
            Column.text("EXPIRES"),
            Column.text("LAST USED"));
    tokens.forEach(token ->
        table.row(
            token.path("name").asText(),
            scope(token),
            projects(token),
            expires(token),
            time(token, "lastUsedAt", "-")));
    table.print(session.terminal());
  }

  /** Prints what one token may do, and until when. */
  public static void describe(Session session, JsonNode token) {
    LabelledLines.labelled(session.terminal(), "name", token.path("name").asText());
    LabelledLines.labelled(session.terminal(), "scope", scope(token));
    LabelledLines.labelled(session.terminal(), "projects", projects(token));
    LabelledLines.labelled(session.terminal(), "created", time(token, "createdAt", "-"));
    LabelledLines.labelled(session.terminal(), "expires", expires(token));
    LabelledLines.labelled(session.terminal(), "last used", time(token, "lastUsedAt", "-"));
  }

  private static String scope(JsonNode token) {
    return token.path("scope").asText("full");
  }

  private static String projects(JsonNode token) {
    List<String> names = new ArrayList<>();
    token.path("projects").forEach(project -> names.add(project.asText()));
    return names.isEmpty() ? "all" : String.join(",", names);
  }

  private static String expires(JsonNode token) {
    return time(token, "expiresAt", "never");
  }

  private static String time(JsonNode token, String key, String otherwise) {
    return token.path(key).isTextual() ? token.path(key).asText() : otherwise;
  }
}
