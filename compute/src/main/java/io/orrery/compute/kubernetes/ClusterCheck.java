package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Callback;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.AccessReview;
import io.orrery.kubernetes.ApiFailure;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import io.orrery.kubernetes.ServedVersions;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks at a cluster as the trials of an experiment will need it, one thing after the other. What
 * cannot be looked at is no reason not to look at the next. Blocks.
 */
final class ClusterCheck {
  private final Cluster cluster;
  private final StorageProvisioner storages;
  private final Blueprints blueprints;
  private final JobSpec job;
  private final int concurrency;
  private final List<Item> items = new ArrayList<>();

  private ClusterCheck(
      Cluster cluster,
      StorageProvisioner storages,
      Blueprints blueprints,
      JobSpec job,
      int concurrency) {
    this.cluster = cluster;
    this.storages = storages;
    this.blueprints = blueprints;
    this.job = job;
    this.concurrency = concurrency;
  }

  /**
   * @param concurrency how many attempts there may be at once
   * @param serverUrl what trials are told of this server
   */
  static List<Item> of(
      Blueprints blueprints,
      JobSpec job,
      int concurrency,
      Vertx vertx,
      StorageProvisioner storages,
      String serverUrl) {
    // As if the cluster had whatever is asked for: what it has comes later.
    Blueprint wished = blueprints.of(job, (address, type) -> List.of(type.version()));
    try (Cluster cluster = Cluster.open(wished.cluster(), vertx)) {
      ClusterCheck check = new ClusterCheck(cluster, storages, blueprints, job, concurrency);
      if (check.isReached()) {
        check.namespace();
        Blueprint blueprint = check.served(wished);
        check.permissions(blueprint);
        check.quota(blueprint);
        check.storage(blueprint);
        check.items.add(
            Callback.check(Callback.url(serverUrl, blueprint.callback()), cluster.server()));
      }
      return check.items;
    } catch (ProblemException e) {
      return List.of(
          Item.bad(
              "kubeconfig", e.problem().detail(), "name a kubeconfig and a context that work"));
    }
  }

  private boolean isReached() {
    try {
      JsonNode version = cluster.read("/version");
      items.add(
          Item.good(
              "API server",
              cluster.server()
                  + (version == null ? "" : ", " + version.path("gitVersion").asText())));
      return true;
    } catch (ProblemException e) {
      items.add(
          Item.bad(
              "API server",
              e.problem().detail(),
              isOfLogin(e)
                  ? "log in again, or name another context"
                  : "check its address in the kubeconfig and the network in between"));
      return false;
    }
  }

  private void namespace() {
    String name = cluster.namespace();
    try {
      boolean there = cluster.read("/api/v1/namespaces/" + name) != null;
      items.add(
          there
              ? Item.good("namespace", name)
              : Item.bad(
                  "namespace", "there is no " + name, "create it, or name another one: namespace"));
    } catch (ProblemException e) {
      items.add(unseen("namespace", e));
    }
  }

  /** Says whether the cluster has the kind of job, in which version; the blueprint in that one. */
  private Blueprint served(Blueprint wished) {
    ResourceType wanted = wished.kind().resource();
    String name = wanted.plural() + "." + wanted.group();
    try {
      List<String> versions = cluster.versions(wanted);
      if (versions.isEmpty()) {
        items.add(
            Item.bad(
                "kind of job",
                "the cluster does not serve " + name,
                "have its operator installed, with the definition of " + wanted.kind()));
        return wished;
      }
      ServedVersions served = (address, type) -> cluster.versions(type);
      Blueprint blueprint = blueprints.of(job, served);
      ResourceType used = blueprint.kind().resource();
      if (!versions.contains(used.version())) {
        items.add(
            Item.bad(
                "kind of job",
                "the cluster serves " + name + " in " + String.join(", ", versions),
                "have " + used.version() + " of it installed"));
      } else if (blueprint.notices().isEmpty()) {
        items.add(Item.good("kind of job", name + " in " + used.version()));
      } else {
        items.add(
            Item.doubtful(
                "kind of job",
                String.join(" ", blueprint.notices()),
                "write apiVersion: " + used.version()));
      }
      return blueprint;
    } catch (ProblemException e) {
      items.add(unseen("kind of job", e));
      return wished;
    }
  }

  // ---- permissions ---------------------------------------------------------------------------

  private void permissions(Blueprint blueprint) {
    List<Permission> all = new ArrayList<>(Permission.of(blueprint.kind()));
    all.addAll(Permission.ofChecks());
    Map<String, String> missing = new TreeMap<>();
    Map<String, String> missed = new TreeMap<>();
    int asked = 0;
    try {
      for (Permission permission : all) {
        for (String verb : permission.verbs()) {
          asked++;
          if (!AccessReview.isAllowed(cluster, permission.type(), verb)) {
            (permission.needed() ? missing : missed)
                .merge(permission.name(), verb, (before, more) -> before + ", " + more);
          }
        }
      }
    } catch (ProblemException e) {
      items.add(unseen("permissions", e));
      return;
    }
    if (missing.isEmpty() && missed.isEmpty()) {
      items.add(Item.good("permissions", "all " + asked + " that are needed"));
    }
    String remedy = "have deploy/kubernetes/rbac.yaml applied to " + cluster.namespace();
    missing.forEach((type, verbs) ->
        items.add(Item.bad("permissions", "not allowed to " + verbs + " " + type, remedy)));
    missed.forEach((type, verbs) ->
        items.add(
            Item.doubtful(
                "permissions",
                "not allowed to " + verbs + " " + type + ": only this check needs it",
                remedy)));
  }

  // ---- room ----------------------------------------------------------------------------------

  private void quota(Blueprint blueprint) {
    try {
      JsonNode quotas = cluster.list(ResourceType.QUOTA, Map.of());
      items.addAll(QuotaRoom.check(blueprint, quotas, concurrency));
    } catch (ProblemException e) {
      items.add(unseen("quota", e));
    }
  }

  private void storage(Blueprint blueprint) {
    Storage storage = blueprint.storage();
    if (storage == null) {
      items.add(Item.good("storage", "outputs go to the server"));
      return;
    }
    try {
      items.add(storages.check(storage, cluster));
    } catch (ProblemException e) {
      items.add(unseen("storage", e));
    }
  }

  private static boolean isOfLogin(ProblemException e) {
    ApiFailure failure = ApiFailure.behind(e);
    return failure != null && failure.isOfLogin();
  }

  private static Item unseen(String what, ProblemException e) {
    if (isOfLogin(e)) {
      return Item.bad(what, e.problem().detail(), "log in again, or name another context");
    }
    if (e.problem() instanceof Problem.Refused refused) {
      return Item.bad(what, refused.detail(), "see what it says");
    }
    return Item.doubtful(
        what, "cannot be read: " + e.problem().detail(), "allow it, or look there yourself");
  }
}
