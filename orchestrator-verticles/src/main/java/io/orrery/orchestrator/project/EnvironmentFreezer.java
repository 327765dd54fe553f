package io.orrery.orchestrator.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.catalog.Platforms;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Freezes the environments of Python packages that a job names: its attempts have the same packages
 * until its end, whatever is built meanwhile.
 */
public final class EnvironmentFreezer {
  private static final String AT = "/trainingService";
  private static final String SERVICES = "services";
  private static final String LOCAL = "local";
  private final Vertx vertx;
  private final Bus bus;
  private final Platforms platforms;

  public EnvironmentFreezer(Vertx vertx, Bus bus, Platforms platforms) {
    this.vertx = vertx;
    this.bus = bus;
    this.platforms = platforms;
  }

  /** The findings about environments on platforms that have none. */
  public static List<Finding> misplaced(JobSpec job) {
    List<Finding> findings = new ArrayList<>();
    misplaced(Json.MAPPER.valueToTree(settings(job).values()), platform(job), AT, findings);
    return findings;
  }

  private static void misplaced(
      JsonNode node, String platform, String pointer, List<Finding> findings) {
    String here = node.path("platform").asText(platform);
    node.properties()
        .forEach(entry -> {
          String at = Pointer.child(pointer, entry.getKey());
          boolean image = entry.getKey().toLowerCase(Locale.ROOT).contains("image");
          String text = entry.getValue().asText();
          if (image && text.startsWith(EnvironmentName.PREFIX) && !here.equals(LOCAL)) {
            findings.add(
                new Finding(
                    at,
                    "the environment %s is a directory of the server's machine, so only the platform local runs programs in it: name an image of a registry"
                        .formatted(text)));
          }
          misplaced(entry.getValue(), here, at, findings);
        });
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      misplaced(node.get(i), here, Pointer.child(pointer, i), findings);
    }
  }

  private static Parameters settings(JobSpec job) {
    return job.trainingService().settings();
  }

  private static String platform(JobSpec job) {
    return job.trainingService().platform();
  }

  /**
   * The same with the digests of environments of its project; fails with Refused when one is not
   * there, was never complete, or lies on another machine.
   */
  public Future<JobSpec> freeze(JobSpec job, ProjectName project) {
    Map<String, @Nullable Object> settings = settings(job).values();
    if (platform(job).equals(LOCAL)) {
      return freeze(settings, project, AT)
          .map(frozen ->
              frozen.equals(settings) ? job : job.withPlatformSettings(new Parameters(frozen)));
    }
    if (!(settings.get(SERVICES) instanceof List<?> parts)) {
      return Future.succeededFuture(job);
    }
    List<Future<Map<String, @Nullable Object>>> all = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Map<String, @Nullable Object> part = new LinkedHashMap<>();
      if (parts.get(i) instanceof Map<?, ?> one) {
        one.forEach((key, value) -> part.put(String.valueOf(key), value));
      }
      all.add(
          LOCAL.equals(part.get("platform"))
              ? freeze(part, project, Pointer.child(AT + "/" + SERVICES, i))
              : Future.succeededFuture(part));
    }
    return Future.all(all)
        .map(done -> {
          Map<String, @Nullable Object> whole = new LinkedHashMap<>(settings);
          whole.put(SERVICES, done.list());
          return job.withPlatformSettings(new Parameters(whole));
        });
  }

  private Future<Map<String, @Nullable Object>> freeze(
      Map<String, @Nullable Object> settings, ProjectName project, String at) {
    String image = EnvironmentChoice.text(settings);
    if (image == null) {
      return Future.succeededFuture(settings);
    }
    String pointer = Pointer.child(at, EnvironmentChoice.KEY);
    return bus.request(Builds.FREEZE, new Builds.FreezeEnvironment(project, image, pointer))
        .compose(frozen -> there(frozen.image(), project, pointer))
        .map(choice -> choice.in(settings).values());
  }

  /** The environment of a digest, which is complete on this machine; fails with Refused. */
  private Future<EnvironmentChoice> there(String image, ProjectName project, String pointer) {
    EnvironmentChoice choice =
        new EnvironmentChoice(project, EnvironmentName.parse(image).orElseThrow());
    return vertx.executeBlocking(
        () -> {
          if (!EnvironmentPlace.isComplete(choice.directory(platforms.environments()))) {
            throw new Problem.Refused(new Finding(pointer, EnvironmentPlace.missing(image)))
                .toException();
          }
          return choice;
        },
        false);
  }
}
