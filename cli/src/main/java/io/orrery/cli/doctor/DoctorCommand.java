package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.ServerFile;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.config.Configured;
import io.orrery.cli.print.Table;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks an installation, and says what to do: {@code orrery doctor}. */
@Command(
    name = "doctor",
    description = {
      "Check this installation: Java, home, disk, clock, ports, programs, the sandbox, what the"
          + " configuration names (it logs in to the database, and asks the OpenID provider), and"
          + " the registries of the server that runs. Exit code 1 when something fails.",
      "--bundle writes a file for those who help you; it holds no secrets."
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Session session;
  private final ServerLauncher server;
  private final Supplier<String> version;

  @Option(names = "--home", paramLabel = "DIR", description = "The server's home.")
  private @Nullable Path home;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The server's configuration. Default: orrery.yml in the home.")
  private @Nullable Path config;

  @Option(names = "--bundle", paramLabel = "FILE", description = "Write a support bundle as well.")
  private @Nullable Path bundle;

  /**
   * @param server checks what a start would open
   * @param version the program's own
   */
  public DoctorCommand(Session session, ServerLauncher server, Supplier<String> version) {
    this.session = session;
    this.server = server;
    this.version = version;
  }

  @Override
  public Integer call() {
    Path here = session.terminal().directory();
    Path place = here.resolve(home == null ? session.terminal().home() : home).normalize();
    Path file = config == null ? place.resolve("orrery.yml") : here.resolve(config);
    if (config != null && !Files.isReadable(file)) {
      throw CommandFailure.refused("--config " + config + " cannot be read");
    }
    Configured configured = Configured.read(file, session.terminal().environment());
    Map<String, String> environment = session.terminal().environment();
    List<CheckResult> results = new ArrayList<>(new MachineChecks(place, environment).run());
    results.addAll(new ConfigurationChecks(place, configured).run());
    merge(results, server.check(place, file, environment), true);
    if (home == null) {
      ServerChecks.Results theirs = new ServerChecks(session).run();
      merge(results, theirs.own(), isServerOf(place));
      results.addAll(theirs.registries());
    }
    JsonNode document = document(results);
    if (session.json()) {
      session.print(document);
    } else {
      print(results);
    }
    if (bundle != null) {
      bundle(here.resolve(bundle), place, configured, document);
    }
    return results.stream().anyMatch(result -> result.state() == State.FAILED) ? 1 : 0;
  }

  /**
   * Adds what the server, or its start, says. It knows better than a look from outside, so what it
   * says of this home comes in the place of ours; what a server elsewhere says is told as that of a
   * server.
   */
  private static void merge(List<CheckResult> ours, List<CheckResult> theirs, boolean same) {
    if (same) {
      Set<String> known = theirs.stream().map(CheckResult::check).collect(Collectors.toSet());
      ours.removeIf(result -> known.contains(result.check()));
      ours.addAll(theirs);
      return;
    }
    theirs.forEach(result ->
        ours.add(
            new CheckResult(
                "server: " + result.check(), result.state(), result.found(), result.advice())));
  }

  /** Whether the server that we talk to is the one that runs in a home. */
  private boolean isServerOf(Path place) {
    try {
      URI url = session.api().address().url();
      return ServerFile.read(place)
          .filter(file -> file.process().isPresent() && file.url().equals(url))
          .isPresent();
    } catch (CommandFailure e) {
      return false;
    }
  }

  private static String verdict(State state) {
    return switch (state) {
      case OK -> "OK";
      case UNKNOWN -> "UNKNOWN";
      case WARNING -> "WARN";
      case FAILED -> "FAIL";
    };
  }

  private void print(List<CheckResult> results) {
    Table table =
        new Table(
            Table.Column.text("CHECK"),
            Table.Column.text("RESULT"),
            Table.Column.text("FOUND"),
            Table.Column.text("WHAT TO DO"));
    for (CheckResult result : results) {
      table.row(result.check(), verdict(result.state()), result.found(), result.advice());
    }
    table.print(session.terminal());
  }

  private static ObjectNode document(List<CheckResult> results) {
    ObjectNode document = Json.MAPPER.createObjectNode();
    ArrayNode items = document.putArray("items");
    for (CheckResult result : results) {
      items
          .addObject()
          .put("check", result.check())
          .put("verdict", verdict(result.state()))
          .put("found", result.found())
          .put("advice", result.advice());
    }
    return document.putNull("next");
  }

  private void bundle(Path file, Path place, Configured configured, JsonNode document) {
    try {
      new SupportBundle(place, configured)
          .write(file, version.get(), document, serverStatus(), serverLog());
      session.terminal().say("the bundle is " + bundle + "; look into it before you send it");
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.refused("--bundle " + bundle + " is there already; name a new file");
    } catch (IOException e) {
      throw CommandFailure.failed("could not write the bundle " + bundle + ": " + e.getMessage());
    }
  }

  /** The document of the page Status: servers, their versions, results with their times. */
  private JsonNode serverStatus() {
    try {
      return session.api().get(Resource.of("status"));
    } catch (Unreachable | ProblemResponse | CommandFailure e) {
      return Json.MAPPER
          .createObjectNode()
          .put("fault", "no server told its status: " + e.getMessage());
    }
  }

  /** Why there is none where no server runs, or where it does not tell us. */
  private List<String> serverLog() {
    List<String> lines = new ArrayList<>();
    try {
      Api api = session.api();
      for (JsonNode line : api.get(Resource.of("logs").with("limit", 200)).path("items")) {
        lines.add(
            "%s %s %s %s"
                .formatted(
                    line.path("time").asText(),
                    line.path("level").asText(),
                    line.path("source").asText(),
                    line.path("message").asText()));
      }
    } catch (Unreachable | ProblemResponse | CommandFailure e) {
      lines.add("no server told its log: " + e.getMessage());
    }
    return lines;
  }
}
