package io.orrery.cli.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about notebooks: {@code orrery notebook}. */
@Command(
    name = "notebook",
    description = "Make, open, start, stop and share notebooks.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class NotebookCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 200;

  private final Session session;

  public NotebookCommand(Session session) {
    this.session = session;
  }

  @Command(name = "create", description = "Make a notebook and start it.")
  int create(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = "Default: a free name.")
          @Nullable String name,
      @Option(names = "--ide", paramLabel = "I", description = "jupyter, vscode or tensorboard.")
          @Nullable String ide,
      @Option(names = "--project", paramLabel = "P", description = "Default: public.")
          @Nullable String project,
      @Option(names = "--image", paramLabel = "I", description = "On a cluster that runs images.")
          @Nullable String image,
      @Option(names = "--cluster", paramLabel = "C", description = "Where it runs.")
          @Nullable String cluster,
      @Option(
              names = "--share",
              paramLabel = "USER",
              split = ",",
              description = "Users who may enter it besides you.")
          @Nullable List<String> share,
      @Option(
              names = "--idle",
              paramLabel = "D",
              description = "It is stopped when unused for so long. Default: 24h.")
          @Nullable String idle) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    put(body, "name", name);
    put(body, "ide", ide);
    put(body, "project", project);
    put(body, "image", image);
    put(body, "cluster", cluster);
    if (share != null) {
      share.forEach(body.withArray("share")::add);
    }
    if (idle != null) {
      body.putObject("expiry").put("idle", idle);
    }
    JsonNode made =
        session.api().post(Resource.of("notebooks"), body.toString(), "application/json");
    if (session.json()) {
      session.print(made);
    } else {
      session
          .terminal()
          .out()
          .printf("made %s. Open it: orrery notebook open %1$s%n", made.path("name").asText());
    }
    return 0;
  }

  private static void put(ObjectNode body, String key, @Nullable String value) {
    if (value != null) {
      body.put(key, value);
    }
  }

  @Command(name = "list", description = "List notebooks with their state.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project) {
    List<JsonNode> notebooks =
        session.api().list(Resource.of("notebooks").with("project", project), null);
    if (session.json()) {
      session.print(notebooks);
    } else {
      NotebookSheet.table(session, notebooks);
    }
    return 0;
  }

  @Command(name = "show", description = "Show a notebook with its events.")
  int show(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    Resource one = Resource.of("notebooks", name);
    JsonNode notebook = session.api().get(one);
    if (session.json()) {
      session.print(notebook);
    } else {
      NotebookSheet.print(session, notebook, session.api().list(one.below("events"), null));
    }
    return 0;
  }

  @Command(
      name = "open",
      description =
          "Start a notebook if it is stopped, print an address that lets its first visitor in, and"
              + " open it in a browser if there is one. With --from-run, --from-experiment or"
              + " --from-model: copy files into your directory first, and open them.")
  int open(
      @Parameters(
              arity = "0..1",
              paramLabel = "NAME",
              description = "Default: the only one that is yours.")
          @Nullable String name,
      @ArgGroup @Nullable OpenedFiles from,
      @Option(names = "--no-browser", description = "Print the address alone.")
          boolean printsOnly) {
    String chosen = from == null ? (name == null ? only() : name) : from.notebook(session, name);
    Resource one = Resource.of("notebooks", chosen);
    String path = from == null ? null : from.copy(session);
    awaitRunning(one);
    JsonNode entry = session.api().get(one.below("enter").with("follow", false).with("open", path));
    if (session.json()) {
      session.print(path == null ? entry : ((ObjectNode) entry).put("path", path));
      return 0;
    }
    String url = entry.path("url").asText();
    session.terminal().out().println(url);
    if (!printsOnly) {
      WebBrowser.open(url, System.getenv());
    }
    return 0;
  }

  private String only() {
    List<JsonNode> all = session.api().list(Resource.of("notebooks"), null);
    if (all.size() != 1) {
      throw CommandFailure.refused(
          all.isEmpty()
              ? "there is no notebook: make one with orrery notebook create"
              : "there are several notebooks: name one, as in orrery notebook open "
                  + all.getFirst().path("name").asText());
    }
    return all.getFirst().path("name").asText();
  }

  private void awaitRunning(Resource one) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      JsonNode state = session.api().get(one).path("state");
      switch (state.path("status").asText()) {
        case "RUNNING", "IDLE" -> {
          return;
        }
        case "STOPPED" -> session.api().post(one.below("start"), "", "application/json");
        case "FAILED", "UNREACHABLE" ->
            throw CommandFailure.failed(
                "it is %s: %s"
                    .formatted(state.path("status").asText(), state.path("reason").asText("-")));
        default -> {}
      }
      if (System.nanoTime() > deadline) {
        throw CommandFailure.failed(
            "it is still %s: %s"
                .formatted(state.path("status").asText(), state.path("reason").asText("-")));
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw CommandFailure.failed("interrupted");
      }
    }
  }

  @Command(name = "start", description = "Start a notebook; its files are as they were.")
  int start(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    return change(name, "start");
  }

  @Command(name = "stop", description = "End the program of a notebook; its files stay.")
  int stop(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    return change(name, "stop");
  }

  @Command(name = "reset", description = "End the program of a notebook and start it anew.")
  int reset(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    return change(name, "reset");
  }

  @Command(name = "renew", description = "Count as a use of a notebook, so that it expires later.")
  int renew(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    return change(name, "renew");
  }

  @Command(name = "logs", description = "Print what the program of a notebook wrote.")
  int logs(
      @Parameters(paramLabel = "NAME", description = "The notebook.") String name,
      @Option(names = "--previous", description = "Of the program before the last restart.")
          boolean previous,
      @Option(names = "--follow", description = "Go on printing.") boolean follow) {
    Resource log =
        Resource.of("notebooks", name, "logs")
            .with("previous", previous ? Boolean.TRUE : null)
            .with("follow", follow ? Boolean.TRUE : null);
    session.copy(log, "the log");
    return 0;
  }

  @Command(
      name = "ssh",
      description =
          "Run ssh into a notebook whose document has your public key. What stands after -- is for"
              + " ssh: its options, then a command.")
  int ssh(
      @Parameters(index = "0", paramLabel = "NAME", description = "The notebook.") String name,
      @Parameters(index = "1..*", arity = "0..*", paramLabel = "WORD", description = "For ssh.")
          @Nullable List<String> words,
      @Option(
              names = "--user",
              paramLabel = "U",
              description = "The user there. Default: the one that the notebook runs as.")
          @Nullable String user,
      @Option(
              names = "--stdio",
              description = "Pass stdin and stdout on: the ProxyCommand of ssh, sftp or an editor.")
          boolean stdio) {
    SshClient client = new SshClient(session, name);
    return stdio ? client.pass() : client.run(user, words == null ? List.of() : words);
  }

  @Command(name = "delete", description = "End a notebook and forget it; your files stay.")
  int delete(@Parameters(paramLabel = "NAME", description = "The notebook.") String name) {
    session.api().delete(Resource.of("notebooks", name));
    return 0;
  }

  private int change(String name, String verb) {
    JsonNode notebook =
        session.api().post(Resource.of("notebooks", name, verb), "", "application/json");
    if (session.json()) {
      session.print(notebook);
    }
    return 0;
  }
}
