package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about projects: {@code orrery project}. */
@Command(
    name = "project",
    description = "See and change projects and their members.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ProjectCommand {
  private final Session session;

  public ProjectCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List the projects that you belong to.")
  int list(
      @Option(names = "--search", paramLabel = "TEXT", description = "Part of name or title.")
          @Nullable String text,
      @Option(names = "--member", paramLabel = "U", description = "Only those of this user.")
          @Nullable String member,
      @Option(
              names = "--role",
              paramLabel = "R",
              description = "Only those in which that user, or else you, have this role.")
          @Nullable String role) {
    Resource wanted =
        Resource.of("projects").with("q", text).with("member", member).with("role", role);
    List<JsonNode> projects = session.api().list(wanted, null);
    if (session.json()) {
      session.print(projects);
      return 0;
    }
    ProjectSheet.table(session, projects);
    return 0;
  }

  @Command(name = "create", description = "Create a project; you become its creator.")
  int create(
      @Parameters(paramLabel = "NAME", description = "Lower-case letters, digits and -.")
          String name,
      @Option(names = "--title", paramLabel = "TEXT", description = "A title to show.")
          @Nullable String title,
      @Option(
              names = "--settings",
              paramLabel = "FILE",
              description = "A YAML or JSON file with its settings.")
          @Nullable Path settings) {
    ObjectNode body =
        JsonNodeFactory.instance.objectNode().put("title", title == null ? "" : title);
    if (settings != null) {
      body.set("settings", SettingsSheet.read(settings).root());
    }
    JsonNode project = session.api().put(Resource.of("projects", name), body);
    if (session.json()) {
      session.print(project);
    }
    return 0;
  }

  @Command(name = "show", description = "Print a project with its settings, as JSON.")
  int show(@Parameters(paramLabel = "NAME", description = "The project.") String name) {
    JsonNode project = session.api().get(Resource.of("projects", name));
    if (session.json()) {
      session.print(project);
    } else {
      session.terminal().out().println(project.toPrettyString());
    }
    return 0;
  }

  @Command(
      name = "check",
      description = "Check the settings of a project: clusters, mounts and nodes that they name.")
  int check(
      @Parameters(paramLabel = "NAME", description = "The project.") String name,
      @Option(
              names = "--settings",
              paramLabel = "FILE",
              description = "A YAML or JSON file with settings to check in place of its own.")
          @Nullable Path settings) {
    return SettingsSheet.check(session, name, settings);
  }

  @Command(name = "delete", description = "Delete a project that has no experiments.")
  int delete(@Parameters(paramLabel = "NAME", description = "The project.") String name) {
    session.api().delete(Resource.of("projects", name));
    return 0;
  }

  @Command(
      name = "members",
      description = "List the members of a project, add one, change a role, or remove one.")
  int members(
      @Parameters(paramLabel = "NAME", description = "The project.") String name,
      @Option(names = "--add", paramLabel = "USER", description = "Add a user, or change the role.")
          @Nullable String add,
      @Option(
              names = "--role",
              paramLabel = "R",
              defaultValue = "member",
              description = "creator, ops, member or viewer. Default: member.")
          String role,
      @Option(names = "--remove", paramLabel = "USER", description = "Remove a member.")
          @Nullable String remove) {
    Resource members = Resource.of("projects", name, "members");
    if (add != null) {
      session
          .api()
          .put(members.below(add), JsonNodeFactory.instance.objectNode().put("role", role));
    }
    if (remove != null) {
      session.api().delete(members.below(remove));
    }
    List<JsonNode> all = session.api().list(members, null);
    if (session.json()) {
      session.print(all);
      return 0;
    }
    Table table = new Table(Column.text("USER"), Column.text("ROLE"));
    all.forEach(member -> table.row(member.path("user").asText(), member.path("role").asText()));
    table.print(session.terminal());
    return 0;
  }

  @Command(
      name = "usage",
      description = "Show what a project uses of its quota, by member and object.")
  int usage(@Parameters(paramLabel = "NAME", description = "The project.") String name) {
    JsonNode usage = session.api().get(Resource.of("projects", name, "usage"));
    if (session.json()) {
      session.print(usage);
    } else {
      UsageSheet.print(session, usage);
    }
    return 0;
  }

  @Command(
      name = "secret",
      description = "List the secrets of a project, set one from stdin, or delete one.")
  int secret(
      @Parameters(paramLabel = "NAME", description = "The project.") String name,
      @Parameters(paramLabel = "SECRET", arity = "0..1", description = "The secret.")
          @Nullable String secret,
      @Option(names = "--set", description = "Set it to what stdin has, but for its last newline.")
          boolean set,
      @Option(names = "--delete", description = "Delete it.") boolean delete)
      throws IOException {
    Resource secrets = Resource.of("projects", name, "secrets");
    if (set == delete ? set : secret == null) {
      throw CommandFailure.refused("name one secret, and either --set or --delete");
    }
    String one = secret == null ? "" : secret;
    if (set) {
      String value = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
      session
          .api()
          .put(
              secrets.below(one),
              JsonNodeFactory.instance.objectNode().put("value", value.replaceAll("\\R$", "")));
      return 0;
    }
    if (delete) {
      session.api().delete(secrets.below(one));
      return 0;
    }
    List<JsonNode> all = session.api().list(secrets, null);
    if (session.json()) {
      session.print(all);
      return 0;
    }
    Table table = new Table(Column.text("NAME"), Column.text("BY"), Column.text("CHANGED"));
    all.forEach(each ->
        table.row(
            each.path("name").asText(),
            each.path("changedBy").asText(),
            each.path("changedAt").asText()));
    table.print(session.terminal());
    return 0;
  }

  @Command(name = "join", description = "Ask to join a project.")
  int join(
      @Parameters(paramLabel = "NAME", description = "The project.") String name,
      @Option(names = "--message", paramLabel = "TEXT", description = "Why.")
          @Nullable String message) {
    session
        .api()
        .post(
            Resource.of("projects", name, "join-requests"),
            JsonNodeFactory.instance
                .objectNode()
                .put("message", message == null ? "" : message)
                .toString(),
            "application/json");
    session.terminal().say("asked; a creator of " + name + " decides");
    return 0;
  }
}
