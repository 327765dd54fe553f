package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.service.Callback;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at a cluster as the trials of an experiment will need it. Blocks. */
final class OpenPaiCheck {
  private static final String STANDARD_CLUSTER = "default";

  private final OpenPaiApi api;
  private final OpenPaiSettings settings;
  private final String serverUrl;
  private final int slots;
  private final List<Item> items = new ArrayList<>();

  OpenPaiCheck(OpenPaiApi api, OpenPaiSettings settings, String serverUrl, int slots) {
    this.api = api;
    this.settings = settings;
    this.serverUrl = serverUrl;
    this.slots = slots;
  }

  List<Item> items() {
    if (isReached()) {
      virtualCluster();
      storage();
    }
    items.add(
        Callback.check(Callback.url(serverUrl, settings.callback()), settings.account().url()));
    return items;
  }

  /** The first request with the token says whether there is a service, and whether it knows us. */
  private boolean isReached() {
    String user = settings.account().user();
    try {
      JsonNode known = api.read("/users/" + Percent.encoded(user), "look at the user " + user);
      if (known == null) {
        items.add(Item.good("service", settings.account().service()));
        items.add(
            Item.bad("login", "there is no user " + user, "write the user of the token: username"));
        return false;
      }
      JsonNode info = api.read("/info", "tell its version");
      String version = info == null ? "" : info.path("version").asText();
      items.add(
          Item.good(
              "service", settings.account().service() + (version.isEmpty() ? "" : ", " + version)));
      items.add(Item.good("login", user));
      return true;
    } catch (ProblemException e) {
      items.add(
          Refusal.isOfAccount(e)
              ? Item.bad(
                  "login",
                  e.problem().detail(),
                  "copy a new token from the profile page of OpenPAI")
              : Item.bad(
                  "service",
                  e.problem().detail(),
                  "check host, and whether the cluster speaks https"));
      return false;
    }
  }

  private void virtualCluster() {
    String chosen = cluster();
    String name = chosen == null ? STANDARD_CLUSTER : chosen;
    try {
      JsonNode cluster =
          api.read(
              "/virtual-clusters/" + Percent.encoded(name), "look at the virtual cluster " + name);
      if (cluster == null) {
        items.add(
            Item.bad(
                "virtual cluster", "there is no " + name, "write one that is: virtualCluster"));
        return;
      }
      items.add(room(name, cluster.path("resourcesTotal"), cluster.path("resourcesUsed")));
    } catch (ProblemException e) {
      items.add(unseen("virtual cluster", e));
    }
  }

  private @Nullable String cluster() {
    return settings.document() == null
        ? settings.virtualCluster()
        : settings.document().at("/defaults/virtualCluster").textValue();
  }

  private Item room(String name, JsonNode total, JsonNode used) {
    List<String> never = new ArrayList<>();
    List<String> short_ = new ArrayList<>();
    for (String resource : List.of("gpu", "cpu", "memory")) {
      long need = need(resource);
      double all = total.path(resource).asDouble(Double.MAX_VALUE);
      double free = all - used.path(resource).asDouble();
      if (need > all) {
        never.add(resource + " " + need + " of " + (long) all);
      } else if (need * slots > free) {
        short_.add("%s for %d of %d".formatted(resource, (long) Math.max(0, free / need), slots));
      }
    }
    if (!never.isEmpty()) {
      return Item.bad(
          "virtual cluster",
          name + " has never enough for a trial: " + String.join(", ", never),
          "ask for less, or name a larger one");
    }
    return short_.isEmpty()
        ? Item.good("virtual cluster", name)
        : Item.doubtful(
            "virtual cluster",
            name + " has room now, of " + String.join(", ", short_) + " trials",
            "the others wait in its queue; or lower trialConcurrency");
  }

  /** What one job needs. */
  private long need(String resource) {
    if (settings.document() == null) {
      return switch (resource) {
        case "gpu" -> settings.gpus();
        case "cpu" -> settings.cpus();
        default -> settings.memory();
      };
    }
    long sum = 0;
    for (JsonNode role : settings.document().path("taskRoles")) {
      String key = resource.equals("memory") ? "memoryMB" : resource;
      sum += role.path("instances").asLong(1) * role.path("resourcePerInstance").path(key).asLong();
    }
    return sum;
  }

  private void storage() {
    OpenPaiSettings.Storage storage = settings.storage();
    if (storage == null) {
      items.add(Item.good("storage", "outputs go to the server"));
      return;
    }
    if (!Files.isDirectory(storage.local())) {
      items.add(
          Item.bad(
              "storage",
              storage.local() + " is no directory of this machine",
              "mount the storage there, or leave localStorageMountPoint out"));
      return;
    }
    String name = storage.name();
    if (name == null) {
      items.add(Item.good("storage", "as openpaiConfig says"));
      return;
    }
    try {
      boolean there =
          api.read("/storages/" + Percent.encoded(name), "look at the storage " + name) != null;
      items.add(
          there
              ? Item.good("storage", name + " at " + storage.container())
              : Item.bad("storage", "there is no " + name, "write one that is: storageConfigName"));
    } catch (ProblemException e) {
      items.add(unseen("storage", e));
    }
  }

  private static Item unseen(String what, ProblemException e) {
    return Refusal.isOfAccount(e)
        ? Item.bad(what, e.problem().detail(), "name one that the user may use")
        : Item.doubtful(what, "cannot be read: " + e.problem().detail(), "try again");
  }
}
