package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The verbs about how long old objects are kept: {@code orrery retention}. */
@Command(
    name = "retention",
    description = "Say how long old notebooks, builds, environments, runs and others are kept.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class RetentionCommand {
  private static final String ALL = "retention";
  private static final String NEVER = "never";
  private static final String KIND = "a kind that orrery retention list shows.";

  private final Session session;

  public RetentionCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List the rules, and what was removed last.")
  int list() {
    rules(session.api().list(Resource.of(ALL), null));
    return 0;
  }

  @Command(name = "preview", description = "List what would be removed now; changes nothing.")
  int preview(
      @Parameters(paramLabel = "KIND", arity = "0..1", description = KIND + " Default: all.")
          @Nullable String kind,
      @Option(
              names = "--days",
              converter = Count.class,
              paramLabel = "N",
              description = "As if objects were kept for so many days.")
          @Nullable Integer days) {
    JsonNode preview =
        session.api().get(Resource.of(ALL, "preview").with("kind", kind).with("keepDays", days));
    if (session.json()) {
      session.print(preview);
      return 0;
    }
    Table table =
        new Table(
            Column.text("KIND"),
            Column.text("NAME"),
            Column.text("PROJECT"),
            Column.text("SINCE"),
            Column.text("KEPT FOR"));
    preview
        .path("items")
        .forEach(item ->
            table.row(
                item.path("kind").asText(),
                item.path("name").asText(),
                item.path("project").asText("-"),
                item.path("since").asText(),
                item.path("usedBy").asText("-")));
    table.print(session.terminal());
    if (preview.path("more").asBoolean()) {
      session.terminal().say("There are more than these.");
    }
    return 0;
  }

  @Command(name = "set", description = "Say how long objects of a kind are kept.")
  int set(
      @Parameters(paramLabel = "KIND", description = KIND) String kind,
      @Parameters(
              paramLabel = "DAYS",
              converter = Days.class,
              description = "A number of days, or never to keep them.")
          String days,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (days.equals(NEVER)) {
      body.putNull("keepDays");
    } else {
      body.put("keepDays", Integer.parseInt(days));
    }
    rules(List.of(session.api().put(dryRun.at(Resource.of(ALL, kind)), body)));
    dryRun.tell(session);
    return 0;
  }

  /** Reads a number of days, or the word for none. */
  static final class Days implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.equals(NEVER) && !text.matches("[0-9]{1,5}")) {
        throw new TypeConversionException(
            "'%s' is neither a number of days nor never".formatted(text));
      }
      return text;
    }
  }

  @Command(name = "run", description = "Remove what is old now, without waiting for the night.")
  int run(@Mixin DryRunOption dryRun) {
    session.api().post(dryRun.at(Resource.of(ALL, "run")), "{}", "application/json");
    session
        .terminal()
        .say(
            dryRun.isAsked()
                ? dryRun.said("old objects can be removed; orrery retention preview lists them")
                : "Old objects are being removed: orrery retention list tells of it.");
    return 0;
  }

  private void rules(List<JsonNode> rules) {
    if (session.json()) {
      session.print(rules);
      return;
    }
    Table table =
        new Table(
            Column.text("KIND"),
            Column.text("DAYS"),
            Column.text("LAST RUN"),
            Column.number("REMOVED"),
            Column.number("KEPT"),
            Column.text("FAILURE"),
            Column.text("OBJECTS"));
    rules.forEach(rule ->
        table.row(
            rule.path("kind").asText(),
            rule.path("keepDays").asText(NEVER),
            rule.at("/last/at").asText("-"),
            rule.at("/last/removed").asText("-"),
            rule.at("/last/kept").asText("-"),
            rule.at("/last/failure").asText("-"),
            rule.path("title").asText("-")));
    table.print(session.terminal());
  }
}
