package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about schedules of pipelines and their due runs: {@code orrery schedule}. */
@Command(
    name = "schedule",
    description = "Have pipelines run at certain times, and see what was due.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ScheduleCommand {
  private static final String NAME = "The pipeline.";
  private static final String DUE = "The due run, such as digits-20261125t030000z.";

  private final Session session;

  public ScheduleCommand(Session session) {
    this.session = session;
  }

  @Command(name = "show", description = "Show the schedule of a pipeline with its next instants.")
  int show(@Parameters(paramLabel = "NAME", description = NAME) String name) {
    return print(session.api().get(schedule(name)));
  }

  @Command(
      name = "set",
      description = "Set the schedule of a pipeline; what is not said stays as it is.")
  int set(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(
              names = "--cron",
              arity = "1",
              paramLabel = "EXPR",
              description = "Five fields, or six with seconds first; may be repeated.")
          @Nullable List<String> cron,
      @Option(names = "--time-zone", paramLabel = "Z", description = "Such as Europe/Berlin.")
          @Nullable String zone,
      @Option(names = "--from", paramLabel = "T", description = "The first instant.")
          @Nullable String from,
      @Option(
              names = "--depends-on-past",
              arity = "0..1",
              fallbackValue = "true",
              paramLabel = "B",
              description = "Whether each waits until the one before has succeeded.")
          @Nullable Boolean past,
      @Option(
              names = "--max-active-runs",
              converter = Count.class,
              paramLabel = "N",
              description = "The most runs at once.")
          @Nullable Integer active,
      @Option(
              names = "--keep",
              converter = Count.class,
              paramLabel = "N",
              description = "The due runs that are kept when they are over.")
          @Nullable Integer keep,
      @Option(names = "--missed", paramLabel = "M", description = "all, latest or none.")
          @Nullable String missed,
      @Option(names = "--dry-run", description = "Check only.") boolean dryRun) {
    ObjectNode body =
        session
            .api()
            .find(schedule(name))
            .map(ObjectNode.class::cast)
            .orElseGet(JsonNodeFactory.instance::objectNode);
    if (cron != null) {
      ArrayNode expressions = body.putArray("cron");
      cron.forEach(expressions::add);
    } else if (!body.has("cron")) {
      throw CommandFailure.refused("say when: --cron \"0 3 * * 1-5\"");
    }
    put(body, "timeZone", zone);
    put(body, "from", from);
    put(body, "missed", missed);
    if (past != null) {
      body.put("dependsOnPast", past);
    }
    if (active != null) {
      body.put("maxActiveRuns", active);
    }
    if (keep != null) {
      body.put("keep", keep);
    }
    JsonNode done =
        session.api().put(schedule(name).with("dryRun", dryRun ? Boolean.TRUE : null), body);
    done.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
    return print(done);
  }

  private static void put(ObjectNode body, String key, @Nullable String value) {
    if (value != null) {
      body.put(key, value);
    }
  }

  @Command(name = "remove", description = "Take the schedule out of a pipeline.")
  int remove(@Parameters(paramLabel = "NAME", description = NAME) String name) {
    session.api().delete(schedule(name));
    session.terminal().out().println("pipeline " + name + " has no schedule any more");
    return 0;
  }

  @Command(name = "pause", description = "Create and submit no due run until it is resumed.")
  int pause(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Mixin DryRunOption dryRun) {
    return steer(schedule(name).below("pause"), dryRun);
  }

  @Command(name = "resume", description = "Go on; what was due meanwhile is not made up for.")
  int resume(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Mixin DryRunOption dryRun) {
    return steer(schedule(name).below("resume"), dryRun);
  }

  @Command(name = "preview", description = "Print the instants of a span of time.")
  int preview(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--from", paramLabel = "T", description = "Default: now.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "T", description = "Default: none.") @Nullable String to,
      @Option(
              names = "--limit",
              converter = Count.class,
              paramLabel = "N",
              description = "At most so many. Default: 20.",
              defaultValue = "20")
          Integer limit) {
    return instants(
        session
            .api()
            .get(
                schedule(name)
                    .below("preview")
                    .with("from", from)
                    .with("to", to)
                    .with("limit", limit)));
  }

  @Command(
      name = "backfill",
      description = "Create due runs for the past instants of a span that have none.")
  int backfill(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--from", required = true, paramLabel = "T", description = "The first.")
          String from,
      @Option(names = "--to", required = true, paramLabel = "T", description = "The last.")
          String to,
      @Option(names = "--dry-run", description = "Print the instants only.") boolean dryRun) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("from", from).put("to", to);
    return instants(
        session
            .api()
            .post(
                schedule(name).below("backfill").with("dryRun", dryRun ? Boolean.TRUE : null),
                body.toString(),
                "application/json"));
  }

  @Command(name = "due", description = "List due runs, the latest first, and why they wait.")
  int due(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only of this pipeline.")
          @Nullable String name,
      @Option(
              names = "--status",
              paramLabel = "S",
              description = "comed, created, skipped or refused.")
          @Nullable String status,
      @Option(
              names = "--limit",
              converter = Count.class,
              paramLabel = "N",
              description = "At most so many. Default: 20.",
              defaultValue = "20")
          Integer limit) {
    List<JsonNode> all =
        session
            .api()
            .list(Resource.of("due-runs").with("pipeline", name).with("status", status), limit);
    if (session.json()) {
      session.print(all);
    } else {
      ScheduleSheet.dueRuns(session, all);
    }
    return 0;
  }

  @Command(
      name = "skip",
      description = "Leave a due run out; those that depend on its success go on.")
  int skip(@Parameters(paramLabel = "DUE", description = DUE) String due) {
    return changed(session.api().post(Resource.of("due-runs", due, "skip")));
  }

  @Command(name = "again", description = "Run a due run again that is over or was left out.")
  int again(@Parameters(paramLabel = "DUE", description = DUE) String due) {
    return changed(session.api().post(Resource.of("due-runs", due, "again")));
  }

  private static Resource schedule(String name) {
    return Resource.of("pipelines", name, "schedule");
  }

  private int steer(Resource change, DryRunOption dryRun) {
    print(session.api().post(dryRun.at(change)));
    dryRun.tell(session);
    return 0;
  }

  private int print(JsonNode schedule) {
    if (session.json()) {
      session.print(schedule);
    } else {
      ScheduleSheet.print(session, schedule);
    }
    return 0;
  }

  private int instants(JsonNode answer) {
    if (session.json()) {
      session.print(answer);
      return 0;
    }
    answer.path("items").forEach(at -> session.terminal().out().println(at.asText()));
    if (answer.path("more").asBoolean()) {
      session.terminal().out().println("… and more");
    }
    return 0;
  }

  private int changed(JsonNode due) {
    if (session.json()) {
      session.print(due);
    } else {
      ScheduleSheet.dueRuns(session, List.of(due));
    }
    return 0;
  }
}
