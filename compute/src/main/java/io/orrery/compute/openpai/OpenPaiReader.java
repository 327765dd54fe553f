package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Hosts;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The checks of several keys together for the platform {@code openpai}. A job document that the
 * file names or holds decides what a job is; keys that say the same thing otherwise are refused.
 */
final class OpenPaiReader {
  private static final String AT = "/trainingService";
  private static final String CONFIG = AT + "/openpaiConfig";
  private static final String NNI_IMAGE = "msranni/nni:latest";

  private final Walk walk;

  OpenPaiReader(Walk walk) {
    this.walk = walk;
  }

  /**
   * @param root the canonical top level
   * @param service the section; gets what it inherits, and the document in the place of its file
   */
  void read(ObjectNode root, ObjectNode service) {
    for (String key : List.of("trialGpuNumber", "nniManagerIp")) {
      if (!service.has(key) && root.has(key)) {
        service.set(key, root.get(key));
      }
    }
    Hosts.complete(service, "host", walk);
    login(service);
    new JobFile(walk).load(service);
    boolean unreadable = walk.faultyWithin(CONFIG) || walk.faultyWithin(AT + "/openpaiConfigFile");
    if (unreadable) {
      walk.excuse("/trialCommand");
    } else if (service.path("openpaiConfig") instanceof ObjectNode document) {
      document(service, document);
    } else {
      plain(service);
    }
    storage(service);
  }

  private void login(ObjectNode service) {
    boolean token = service.has("token");
    boolean password = service.has("password");
    if (token && password) {
      walk.refuse(AT + "/password", "is one thing too many: there is a token already");
    } else if (!token
        && !password
        && !walk.faultyWithin(AT + "/token")
        && !walk.faultyWithin(AT + "/password")
        && !walk.excused(AT + "/token")) {
      walk.refuse(AT + "/token", "is missing: the user's token, from the profile page of OpenPAI");
    }
  }

  // ---- without a document --------------------------------------------------------------------

  private void plain(ObjectNode service) {
    need(service, "trialCpuNumber", "processors of a trial" + orDocument());
    need(service, "trialMemorySize", "memory of a trial such as 8gb" + orDocument());
    need(service, "trialGpuNumber", "GPUs of a trial, 0 for none" + orDocument());
    if (!service.has("dockerImage") && !walk.faultyWithin(AT + "/dockerImage")) {
      service.put("dockerImage", NNI_IMAGE);
    }
    if (service.has("reportingTaskRole")) {
      walk.refuse(
          AT + "/reportingTaskRole", "names a role of " + documentKey() + ", and there is none");
    }
  }

  private String orDocument() {
    return ", or " + documentKey();
  }

  /** The key that the job document comes from, as the author's file calls it. */
  private String documentKey() {
    return walk.older() == null ? "openpaiConfig" : walk.places().name(AT + "/openpaiConfigFile");
  }

  private void need(ObjectNode service, String key, String what) {
    String at = AT + "/" + key;
    boolean told = walk.faultyWithin(at) || walk.faultyWithin("/" + key) || walk.excused(at);
    if (!service.has(key) && !told) {
      walk.refuse(at, "is missing: " + what);
    }
  }

  private void storage(ObjectNode service) {
    boolean own = service.has("openpaiConfig");
    boolean wanted = service.has("storageConfigName") || service.has("containerStorageMountPoint");
    boolean local = service.has("localStorageMountPoint");
    String localAt = AT + "/localStorageMountPoint";
    if (wanted && !local && !own && !walk.faultyWithin(localAt) && !walk.excused(localAt)) {
      walk.refuse(
          localAt,
          "is missing: where this machine has the storage mounted; without any key of a storage"
              + " outputs go to the server");
    }
    if (!local) {
      return;
    }
    String name = service.path("storageConfigName").asText("");
    if (name.isEmpty() && !own && !walk.faultyWithin(AT + "/storageConfigName")) {
      walk.refuse(
          AT + "/storageConfigName",
          "is missing: the cluster's name of the storage that is mounted at "
              + service.path("localStorageMountPoint").asText());
    }
    String container = AT + "/containerStorageMountPoint";
    if (!service.has("containerStorageMountPoint") && !walk.faultyWithin(container)) {
      if (name.isEmpty()) {
        name = first(storages(service.path("openpaiConfig")));
      }
      if (!name.isEmpty()) {
        service.put("containerStorageMountPoint", "/mnt/" + name);
      } else if (own) {
        walk.refuse(
            container, "is missing: " + documentKey() + " names no storage that it could be");
      }
    }
    String path = service.path("containerStorageMountPoint").asText("/");
    if (!path.startsWith("/")) {
      walk.refuse(container, "must be an absolute path, this is '" + path + "'");
    }
  }

  // ---- with a document -----------------------------------------------------------------------

  private void document(ObjectNode service, ObjectNode document) {
    if (document.path("secrets") instanceof ObjectNode secrets) {
      for (Map.Entry<String, JsonNode> secret : secrets.properties()) {
        secret.setValue(TextNode.valueOf(walk.seal(secret.getValue().asText())));
      }
    }
    JsonNode version = document.path("protocolVersion");
    if (!version.isMissingNode() && !version.asText().equals("2")) {
      walk.refuse(CONFIG + "/protocolVersion", "must be 2, this is " + Shown.of(version));
    }
    roles(service, document);
    if (walk.faultyWithin(CONFIG)) {
      walk.excuse("/trialCommand");
      return;
    }
    JsonNode roles = document.path("taskRoles");
    agree(service, "dockerImage", images(document), "the image of every role");
    agree(service, "virtualCluster", texts(document.at("/defaults/virtualCluster")), "defaults");
    agree(service, "storageConfigName", storages(document), "extras.storages");
    agree(service, "trialCpuNumber", resource(roles, "cpu"), "resourcePerInstance.cpu");
    agree(service, "trialGpuNumber", resource(roles, "gpu"), "resourcePerInstance.gpu");
    agree(service, "trialMemorySize", resource(roles, "memoryMB"), "resourcePerInstance.memoryMB");
    retries(document);
    if (document.has("name")) {
      walk.notice(
          documentKey()
              + "'s name is not used: the jobs are called"
              + " nni_exp_<experiment>_trial_<trial>.");
    }
  }

  private void roles(ObjectNode service, ObjectNode document) {
    JsonNode roles = document.path("taskRoles");
    if (!roles.isObject() || roles.isEmpty()) {
      walk.refuse(CONFIG + "/taskRoles", "must be an object with at least one role");
      return;
    }
    for (Map.Entry<String, JsonNode> role : roles.properties()) {
      String at = Pointer.child(CONFIG + "/taskRoles", role.getKey());
      if (!role.getKey().matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
        walk.refuse(at, "is no name of a role: letters, digits and _, no digit first");
      }
      JsonNode commands = role.getValue().path("commands");
      boolean some = commands.isArray() && !commands.isEmpty();
      for (JsonNode command : commands) {
        some &= command.isTextual() && !command.textValue().isBlank();
      }
      if (!some) {
        walk.refuse(at + "/commands", "must be a list of shell commands");
      }
      place(at, role.getValue(), document);
    }
    String reporter = service.path("reportingTaskRole").asText("");
    if (!reporter.isEmpty() && !roles.has(reporter)) {
      walk.refuse(
          AT + "/reportingTaskRole",
          "is '" + reporter + "', and the roles are " + String.join(", ", names(roles)));
    } else if (reporter.isEmpty() && roles.size() > 1) {
      walk.notice(
          "Of the roles of "
              + documentKey()
              + " "
              + names(roles).getFirst()
              + " reports, its first; reportingTaskRole names another one.");
    }
    if (!walk.faultyWithin(CONFIG) && !service.has("trialCommand")) {
      JsonNode first = reporter.isEmpty() ? roles.iterator().next() : roles.path(reporter);
      List<String> lines = new ArrayList<>();
      first.path("commands").forEach(command -> lines.add(command.asText().strip()));
      service.put("trialCommand", String.join(" && ", lines));
    }
  }

  /** Checks that a role has what OpenPAI needs and no key outside of the document says. */
  private void place(String at, JsonNode role, JsonNode document) {
    Set<String> known = new LinkedHashSet<>();
    document.path("prerequisites").forEach(each -> known.add(each.path("name").asText()));
    String image = role.path("dockerImage").asText();
    if (image.isEmpty()) {
      walk.refuse(at + "/dockerImage", "is missing: the name of one of the prerequisites");
    } else if (!known.contains(image)) {
      walk.refuse(at + "/dockerImage", "is '" + image + "', which no prerequisite is called");
    }
    for (String resource : List.of("cpu", "memoryMB", "gpu")) {
      String pointer = at + "/resourcePerInstance/" + resource;
      JsonNode amount = role.path("resourcePerInstance").path(resource);
      int least = resource.equals("gpu") ? 0 : 1;
      if (amount.isMissingNode()) {
        walk.refuse(pointer, "is missing: with " + documentKey() + " no other key says it");
      } else if (!amount.isIntegralNumber() || amount.intValue() < least) {
        walk.refuse(
            pointer, "must be a whole number from " + least + ", this is " + Shown.of(amount));
      }
    }
  }

  private static List<String> names(JsonNode roles) {
    return roles.properties().stream().map(Map.Entry::getKey).toList();
  }

  private void agree(ObjectNode service, String key, Set<String> said, String where) {
    if (!service.has(key)) {
      return;
    }
    String given = service.get(key).asText();
    if (said.size() == 1 && said.contains(given)) {
      return;
    }
    walk.refuse(
        AT + "/" + key,
        "is "
            + given
            + ", and "
            + documentKey()
            + " decides it ("
            + where
            + ": "
            + (said.isEmpty() ? "not set" : String.join(", ", said))
            + "): leave it out");
  }

  private static Set<String> images(JsonNode document) {
    Set<String> images = new LinkedHashSet<>();
    for (JsonNode role : document.path("taskRoles")) {
      String name = role.path("dockerImage").asText();
      for (JsonNode prerequisite : document.path("prerequisites")) {
        if (prerequisite.path("type").asText().equals("dockerimage")
            && prerequisite.path("name").asText().equals(name)) {
          images.add(prerequisite.path("uri").asText());
        }
      }
    }
    return images;
  }

  private static Set<String> storages(JsonNode document) {
    Set<String> names = new LinkedHashSet<>();
    document.at("/extras/storages").forEach(storage -> names.add(storage.path("name").asText()));
    return names;
  }

  private static Set<String> resource(JsonNode roles, String name) {
    Set<String> amounts = new LinkedHashSet<>();
    for (JsonNode role : roles) {
      JsonNode amount = role.path("resourcePerInstance").path(name);
      if (!amount.isMissingNode()) {
        amounts.add(amount.asText());
      }
    }
    return amounts;
  }

  private static Set<String> texts(JsonNode text) {
    return text.isTextual() ? Set.of(text.textValue()) : Set.of();
  }

  private static String first(Set<String> texts) {
    return texts.stream().findFirst().orElse("");
  }

  private void retries(ObjectNode document) {
    boolean retried = document.path("jobRetryCount").asInt() != 0;
    for (JsonNode role : document.path("taskRoles")) {
      retried |= role.path("taskRetryCount").asInt() != 0;
    }
    if (retried) {
      walk.notice(
          "The retries of "
              + documentKey()
              + " have no effect: retry of the experiment runs a trial"
              + " again.");
    }
  }
}
