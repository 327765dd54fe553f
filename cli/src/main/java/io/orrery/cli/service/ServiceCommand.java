package io.orrery.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about services: {@code orrery service}. */
@Command(
    name = "service",
    description = "See services, deploy, scale and clear them, read their logs.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ServiceCommand {
  private final Session session;

  public ServiceCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List services with their state.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project) {
    List<JsonNode> services =
        session.api().list(Resource.of("services").with("project", project), null);
    if (session.json()) {
      session.print(services);
    } else {
      ServiceSheet.table(session, services);
    }
    return 0;
  }

  @Command(name = "show", description = "Show a service with its replicas and events.")
  int show(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    Resource one = Resource.of("services", name);
    JsonNode service = session.api().get(one);
    if (session.json()) {
      session.print(service);
    } else {
      ServiceSheet.print(session, service, session.api().list(one.below("events"), null));
    }
    return 0;
  }

  @Command(
      name = "deploy",
      description = "Deploy the present document at a stage; the present replicas serve meanwhile.")
  int deploy(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    return change(name, "deploy", body(stage));
  }

  @Command(name = "clear", description = "End the replicas of a stage; the service stays.")
  int clear(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    return change(name, "clear", body(stage));
  }

  @Command(name = "restart", description = "Replace the replicas of a stage by new ones.")
  int restart(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    return change(name, "restart", body(stage));
  }

  @Command(name = "scale", description = "Change the number of replicas of a stage.")
  int scale(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(
              names = "--replicas",
              required = true,
              converter = Count.class,
              paramLabel = "N",
              description = "So many.")
          Integer replicas,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    return change(name, "scale", body(stage).put("replicas", replicas));
  }

  @Command(name = "rollback", description = "Go back to an earlier document, and deploy it.")
  int rollback(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(
              names = "--revision",
              converter = Count.class,
              paramLabel = "N",
              description = "Default: the one before the present one.")
          @Nullable Integer revision) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (revision != null) {
      body.put("revision", revision);
    }
    return change(name, "rollback", body);
  }

  @Command(
      name = "promote",
      description = "Give the new generation of an upgrade all requests now.")
  int promote(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    return steer(name, "promote");
  }

  @Command(name = "abort", description = "End an upgrade and go back to the generation before.")
  int abort(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    return steer(name, "abort");
  }

  @Command(name = "pause", description = "Leave the share of an upgrade as it is.")
  int pause(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    return steer(name, "pause");
  }

  @Command(name = "resume", description = "Go on with an upgrade that is paused.")
  int resume(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    return steer(name, "resume");
  }

  @Command(name = "logs", description = "Print what a replica wrote.")
  int logs(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(names = "--replica", paramLabel = "R", description = "Such as 3-0. Default: one.")
          @Nullable String replica,
      @Option(names = "--previous", description = "Of the program before the last restart.")
          boolean previous,
      @Option(names = "--follow", description = "Go on printing.") boolean follow,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    Resource log =
        Resource.of("services", name, "logs")
            .with("stage", stage)
            .with("replica", replica)
            .with("previous", previous ? Boolean.TRUE : null)
            .with("follow", follow ? Boolean.TRUE : null);
    session.copy(log, "the log");
    return 0;
  }

  @Command(name = "shadows", description = "Show what the shadows of a service answer otherwise.")
  int shadows(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    ShadowSheet.print(session, Resource.of("services", name));
    return 0;
  }

  @Command(
      name = "shell",
      description = "Open a shell in a replica; without a terminal it runs what comes from stdin.")
  int shell(
      @Parameters(paramLabel = "NAME", description = "The service.") String name,
      @Option(names = "--replica", paramLabel = "R", description = "Such as 3-0. Default: one.")
          @Nullable String replica,
      @Option(names = "--stage", paramLabel = "S", description = "production, test or debug.")
          @Nullable String stage) {
    String prefix = stage == null || stage.equals("production") ? "" : stage + ".";
    return new ServiceShell(session).run("service-" + prefix + name, replica, System.in);
  }

  @Command(name = "delete", description = "End a service at all stages and forget it.")
  int delete(@Parameters(paramLabel = "NAME", description = "The service.") String name) {
    session.api().delete(Resource.of("services", name));
    return 0;
  }

  private static ObjectNode body(@Nullable String stage) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    return stage == null ? body : body.put("stage", stage);
  }

  private int steer(String name, String verb) {
    JsonNode service =
        session
            .api()
            .post(Resource.of("services", name, "rollout", verb), "{}", "application/json");
    if (session.json()) {
      session.print(service);
    } else {
      ServiceSheet.rollout(session.terminal().out(), service.path("state"));
    }
    return 0;
  }

  private int change(String name, String verb, ObjectNode body) {
    JsonNode service =
        session
            .api()
            .post(Resource.of("services", name, verb), body.toString(), "application/json");
    if (session.json()) {
      session.print(service);
    }
    return 0;
  }
}
