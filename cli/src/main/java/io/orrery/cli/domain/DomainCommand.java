package io.orrery.cli.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.service.ShadowSheet;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The verbs about domains: {@code orrery domain}. */
@Command(
    name = "domain",
    description = "See hosts that services share, divide their requests, steer rollouts.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class DomainCommand {
  private static final Pattern SHARE = Pattern.compile("([a-z][a-z0-9-]*)[:=]([0-9]{1,3})%?");

  private final Session session;

  public DomainCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List domains with their shares.")
  int list() {
    List<JsonNode> domains = session.api().list(Resource.of("domains"), null);
    if (session.json()) {
      session.print(domains);
      return 0;
    }
    Table table =
        new Table(
            Column.text("HOST"),
            Column.text("PROJECT"),
            Column.text("SHARES"),
            Column.text("ROLLOUT"),
            Column.text("REASON"));
    for (JsonNode domain : domains) {
      table.row(
          domain.path("host").asText(),
          domain.path("project").asText(),
          shares(domain.path("backends")),
          domain.path("rollout").path("state").asText(),
          domain.path("rollout").path("reason").asText("-"));
    }
    table.print(session.terminal());
    return 0;
  }

  @Command(name = "show", description = "Show a domain with its shares and its rollout.")
  int show(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    print(session.api().get(Resource.of("domains", host)));
    return 0;
  }

  @Command(name = "shadows", description = "Show what the shadows of a domain answer otherwise.")
  int shadows(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    ShadowSheet.print(session, Resource.of("domains", host));
    return 0;
  }

  @Command(
      name = "split",
      description = "Divide the requests of a domain; the percents are 100 together.")
  int split(
      @Parameters(index = "0", paramLabel = "HOST", description = "The host.") String host,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "SERVICE:PERCENT",
              description = "Such as digits-1:80 digits-2:20.")
          List<String> shares) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode backends = body.putArray("backends");
    for (String share : shares) {
      for (String term : share.split(",", -1)) {
        Matcher parts = SHARE.matcher(term.strip());
        if (!parts.matches()) {
          throw CommandFailure.refused(
              "a share is SERVICE:PERCENT such as digits-2:20, not '" + term + "'");
        }
        backends
            .addObject()
            .put("service", parts.group(1))
            .put("percent", Integer.parseInt(parts.group(2)));
      }
    }
    print(session.api().put(Resource.of("domains", host), body));
    return 0;
  }

  @Command(name = "promote", description = "Give the new service of a rollout all requests now.")
  int promote(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    return steer(host, "promote");
  }

  @Command(name = "abort", description = "End a rollout and give back the shares of before.")
  int abort(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    return steer(host, "abort");
  }

  @Command(name = "pause", description = "Leave the shares of a rollout as they are.")
  int pause(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    return steer(host, "pause");
  }

  @Command(name = "resume", description = "Go on with a rollout that is paused.")
  int resume(@Parameters(paramLabel = "HOST", description = "The host.") String host) {
    return steer(host, "resume");
  }

  private int steer(String host, String verb) {
    print(
        session
            .api()
            .post(Resource.of("domains", host, "rollout", verb), "{}", "application/json"));
    return 0;
  }

  private void print(JsonNode domain) {
    if (session.json()) {
      session.print(domain);
      return;
    }
    PrintStream out = session.terminal().out();
    JsonNode rollout = domain.path("rollout");
    out.printf("%s  %s%n", domain.path("host").asText(), domain.path("url").asText());
    out.printf("  shares   %s%n", shares(domain.path("backends")));
    if (!domain.path("shadows").isEmpty()) {
      out.printf("  shadows  %s%n", shares(domain.path("shadows")));
    }
    out.printf(
        "  rollout  %s%s%n",
        rollout.path("state").asText(),
        rollout.path("reason").isTextual() ? ": " + rollout.path("reason").asText() : "");
  }

  private static String shares(JsonNode backends) {
    List<String> shares = new ArrayList<>();
    backends.forEach(backend ->
        shares.add(backend.path("service").asText() + ":" + backend.path("percent").asInt() + "%"));
    return shares.isEmpty() ? "-" : String.join(", ", shares);
  }
}
