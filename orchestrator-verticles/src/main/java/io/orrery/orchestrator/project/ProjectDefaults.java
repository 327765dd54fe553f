package io.orrery.orchestrator.project;

import io.orrery.compute.kubernetes.ProjectPods;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.HostMounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The defaults that an experiment or a step on Kubernetes takes from its project: the cluster,
 * where it names none, and the mounts, the nodes and the accounts of registries of its pods. They
 * become a part of its job, so later changes of the project change nothing.
 */
public final class ProjectDefaults {
  private static final String AT = "/trainingService";
  private static final String CLUSTER = "cluster";
  private static final Set<String> PLATFORMS =
      Set.of("kubernetes", "kubeflow", "frameworkcontroller", "adl");

  private final Bus bus;
  private final Map<String, Map<String, String>> clusters;
  private final Set<String> others;
  private final HostMounts mountable;

  /**
   * @param clusters the keys {@code kubeconfig}, {@code context} and {@code namespace} of trials on
   *     each Kubernetes cluster of the configuration, by its name
   * @param others the clusters of the configuration that are not of Kubernetes: a project on one of
   *     them says nothing about pods of trials
   * @param mountable what pods may mount of their nodes
   */
  public ProjectDefaults(
      Bus bus,
      Map<String, Map<String, String>> clusters,
      Set<String> others,
      HostMounts mountable) {
    this.bus = bus;
    this.clusters = new TreeMap<>(clusters);
    this.others = Set.copyOf(others);
    this.mountable = mountable;
  }

  /**
   * A job with the defaults.
   *
   * @param notices full sentences about what was taken from the project
   */
  public record Given(JobSpec job, List<String> notices) {}

  /** Gives a job its defaults; fails with Refused and every finding. */
  public Future<Given> give(JobSpec job, ResourceOwner ownership) {
    TrainingServiceSpec service = job.trainingService();
    if (!concerns(service.platform()) && !hasPartThatConcerns(service)) {
      return Future.succeededFuture(new Given(job, List.of()));
    }
    ProjectName project = ownership.project();
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> {
          ProjectSettings of = ProjectSettings.read(found.settings()).settings();
          Giving giving = new Giving(new ProjectPods(project, ownership.owner(), of));
          Map<String, @Nullable Object> given =
              concerns(job.trainingService().platform())
                  ? giving.single(job.trainingService().settings().values(), AT)
                  : giving.several(job.trainingService().settings().values());
          if (!giving.findings.isEmpty()) {
            throw Problem.Refused.of(giving.findings).toException();
          }
          return new Given(job.withPlatformSettings(new Parameters(given)), giving.notices());
        });
  }

  private static boolean concerns(String platform) {
    return PLATFORMS.contains(platform);
  }

  private static boolean hasPartThatConcerns(TrainingServiceSpec service) {
    return service.settings().values().get("services") instanceof List<?> parts
        && parts.stream()
            .anyMatch(part ->
                part instanceof Map<?, ?> one && concerns(String.valueOf(one.get("platform"))));
  }

  /** The defaults of one project, while they are given. */
  private final class Giving {
    private final ProjectPods project;
    private final List<Finding> findings = new ArrayList<>();
    private boolean taken;

    Giving(ProjectPods project) {
      this.project = project;
      project.mounts().mounts().stream()
          .map(mountable::refusal)
          .filter(Objects::nonNull)
          .forEach(refusal ->
              findings.add(
                  new Finding(
                      AT,
                      "in volume_mount of the project %s: %s".formatted(project.name(), refusal))));
    }

    Map<String, @Nullable Object> several(Map<String, @Nullable Object> settings) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>(settings);
      if (settings.get("services") instanceof List<?> services) {
        List<@Nullable Object> changed = new ArrayList<>();
        for (int i = 0; i < services.size(); i++) {
          Map<String, @Nullable Object> service = new LinkedHashMap<>();
          if (services.get(i) instanceof Map<?, ?> one) {
            one.forEach((key, value) -> service.put(String.valueOf(key), value));
          }
          changed.add(
              concerns(String.valueOf(service.get("platform")))
                  ? single(service, Pointer.child(AT + "/services", i))
                  : service);
        }
        all.put("services", changed);
      }
      return all;
    }

    Map<String, @Nullable Object> single(Map<String, @Nullable Object> settings, String at) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>(settings);
      all.put(ProjectPods.KEY, project.written());
      Object own = settings.get(CLUSTER);
      boolean isElsewhere = settings.get("kubeconfig") != null || settings.get("context") != null;
      if (own != null && isElsewhere) {
        findings.add(
            new Finding(
                at + "/" + CLUSTER,
                "names a cluster of the server's configuration, which has its own kubeconfig and"
                    + " context: leave these out, or leave cluster out"));
      } else if (own != null) {
        enter(String.valueOf(own), at + "/" + CLUSTER, "", all);
      } else if (!isElsewhere) {
        String ofProject = project.settings().cluster();
        if (ofProject != null && !others.contains(ofProject)) {
          enter(
              ofProject, at, "its project %s is on %s: ".formatted(project.name(), ofProject), all);
          taken = true;
        }
      }
      return all;
    }

    private void enter(
        String name, String at, String reason, Map<String, @Nullable Object> settings) {
      Map<String, String> address = clusters.get(name);
      if (address == null) {
        findings.add(
            new Finding(
                at,
                "%sthere is no Kubernetes cluster '%s' in this server's configuration; there is %s%s"
                    .formatted(
                        reason,
                        name,
                        clusters.isEmpty() ? "none" : String.join(", ", clusters.keySet()),
                        Nearest.hint(name, List.copyOf(clusters.keySet())))));
        return;
      }
      address.forEach((key, value) -> settings.merge(key, value, (own, other) -> own));
    }

    List<String> notices() {
      List<String> parts = new ArrayList<>();
      if (taken) {
        parts.add("the cluster " + project.settings().cluster());
      }
      if (!project.mounts().mounts().isEmpty()) {
        parts.add("the mounts " + project.mounts().text());
      }
      if (project.settings().choosesNodes()) {
        parts.add("its nodes");
      }
      return parts.isEmpty()
          ? List.of()
          : List.of(
              "The project %s gives its pods %s."
                  .formatted(project.name(), String.join(", ", parts)));
    }
  }
}
