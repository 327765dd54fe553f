package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.YamlText;
import io.orrery.cli.server.Interrupts;
import io.orrery.core.text.Nearest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints objects of a kind: {@code orrery get}. */
@Command(
    name = "get",
    description = "Print the objects of a kind, or one of them; --json prints all of it.")
public final class GetCommand implements Callable<Integer> {
  private static final List<String> FORMS = List.of("table", "wide", "json", "yaml");
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Session session;
  private final Supplier<Interrupts> takeOver;

  @Parameters(index = "0", paramLabel = "KIND", description = ObjectKind.TYPED + ".")
  private String kind = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Default: all.")
  private @Nullable String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "table, wide (the keys of every kind), json or yaml. Default: table.")
  private String form = "table";

  @Option(
      names = {"-w", "--watch"},
      description = "Go on, and print each object that changes, until Ctrl-C.")
  private boolean watch;

  /**
   * @param takeOver how Ctrl-C arrives; asked for only to watch
   */
  public GetCommand(Session session, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    ObjectKind wanted = ObjectKind.typed(kind);
    if (!FORMS.contains(form)) {
      throw CommandFailure.refused(
          "-o is one of %s, not '%s'%s"
              .formatted(String.join(", ", FORMS), form, Nearest.hint(form, FORMS)));
    }
    if (session.json() && form.equals("table")) {
      form = "json";
    }
    List<JsonNode> items = items(wanted);
    switch (form) {
      case "json" -> json(items);
      case "yaml" -> items.forEach(this::yaml);
      default -> ObjectTable.of(wanted, form.equals("wide"), session, items);
    }
    if (watch) {
      session.terminal().out().flush();
      follow(wanted, items);
    }
    return 0;
  }

  private List<JsonNode> items(ObjectKind wanted) {
    return name == null
        ? session.api().list(wanted.all(), null)
        : List.of(wanted.get(session.api(), name));
  }

  /** The objects of a later look, when the one that is named may be gone. */
  private List<JsonNode> later(ObjectKind wanted) {
    return name == null ? items(wanted) : wanted.find(session.api(), name).stream().toList();
  }

  /** One document; each object in a line of its own when there will be more of them. */
  private void json(List<JsonNode> items) {
    if (watch) {
      items.forEach(session::print);
    } else if (name == null) {
      session.print(items);
    } else {
      session.print(items.getFirst());
    }
  }

  /** A document of its own for each object, several to a stream. */
  private void yaml(JsonNode item) {
    PrintStream out = session.terminal().out();
    if (watch || name == null) {
      out.println("---");
    }
    YamlText.print(out, item);
  }

  private void follow(ObjectKind wanted, List<JsonNode> first) {
    Interrupts interrupts = takeOver.get();
    ObjectChanges changes = new ObjectChanges(session, wanted, form.equals("wide"));
    changes.seen(first);
    PrintStream out = session.terminal().out();
    while (interrupts.pause(LOOK) == 0) {
      ObjectChanges.News news = changes.seen(later(wanted));
      switch (form) {
        case "json" -> news.changed().forEach(session::print);
        case "yaml" -> news.changed().forEach(this::yaml);
        default -> news.lines().forEach(out::println);
      }
      news.gone().forEach(gone -> session.terminal().say(kind + " " + gone + " is gone"));
      out.flush();
    }
  }
}
