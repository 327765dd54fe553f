package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the audit log: {@code orrery audit}. */
@Command(name = "audit", description = "Print changes and who made them, newest first.")
public final class AuditCommand implements Callable<Integer> {
  private static final int USUAL = 100;

  private final Session session;

  @Option(names = "--user", paramLabel = "U", description = "Only what this user did.")
  private @Nullable String user;

  @Option(
      names = "--kind",
      paramLabel = "K",
      description = "Only what was done to objects of this kind, such as user or member.")
  private @Nullable String kind;

  @Option(names = "--name", paramLabel = "N", description = "Only what was done to this object.")
  private @Nullable String name;

  @Option(names = "--project", paramLabel = "P", description = "Only what happened there.")
  private @Nullable String project;

  @Option(
      names = "--limit",
      converter = Count.class,
      paramLabel = "N",
      description = "At most so many. Default: 100.")
  private @Nullable Integer limit;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Write all of them into a file, an object of JSON a line.")
  private @Nullable Path export;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Not before it, as 2026-01-31T12:00:00Z.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Before it.")
  private @Nullable String to;

  public AuditCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (export != null) {
      session.save(wanted(Resource.of("audit", "export")), export);
      return 0;
    }
    List<JsonNode> entries =
        session
            .api()
            .list(wanted(Resource.of("audit")), limit == null ? Integer.valueOf(USUAL) : limit);
    if (session.json()) {
      session.print(entries);
      return 0;
    }
    Table table =
        new Table(
            Column.text("AT"),
            Column.text("USER"),
            Column.text("FROM"),
            Column.text("ACTION"),
            Column.text("OBJECT"),
            Column.text("PROJECT"),
            Column.text("DETAIL"));
    for (JsonNode entry : entries) {
      table.row(
          entry.path("at").asText(),
          entry.path("user").asText(),
          entry.path("from").asText(),
          entry.path("action").asText(),
          entry.path("kind").asText() + " " + entry.path("name").asText(),
          entry.path("project").asText("-"),
          entry.path("detail").asText());
    }
    table.print(session.terminal());
    return 0;
  }

  private Resource wanted(Resource audit) {
    return audit
        .with("user", user)
        .with("kind", kind)
        .with("name", name)
        .with("project", project)
        .with("from", from)
        .with("to", to);
  }
}
