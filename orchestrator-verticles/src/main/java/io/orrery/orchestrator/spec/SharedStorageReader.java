package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.experiment.SharedStorageSpec.Blob;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import io.orrery.core.schema.Walk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of {@code sharedStorage}, which depend on its type. */
final class SharedStorageReader {
  private static final String AT = "/sharedStorage";

  /** Their trials run beside the server. */
  private static final List<String> HERE = List.of("local", "simulated");

  private static final List<String> OF_BLOB =
      List.of("storageAccountName", "storageAccountKey", "containerName");

  private SharedStorageReader() {}

  /** Says what is wrong with the section, if there is one. */
  static void read(JsonNode root, Walk walk) {
    JsonNode given = root.path("sharedStorage");
    if (!given.isObject()) {
      return;
    }
    String platform = root.path("trainingService").path("platform").asText();
    if (HERE.contains(platform)) {
      walk.notice(
          "sharedStorage does nothing here: trials of "
              + platform
              + " are on this machine already.");
      return;
    }
    for (JsonNode service : root.path("trainingService").path("services")) {
      if (HERE.contains(service.path("platform").asText())) {
        walk.notice(
            "sharedStorage does nothing for trials of "
                + service.path("name").asText(service.path("platform").asText())
                + ": they are on this machine already.");
      }
    }
    String type = given.path("storageType").asText();
    if (type.equals("NFS")) {
      nfs(given, walk);
    } else if (type.equals("AzureBlob")) {
      blob(given, walk);
    }
  }

  private static void nfs(JsonNode given, Walk walk) {
    needed(given, "NFS", List.of("localMountPoint", "remoteMountPoint"), walk);
    foreign(given, "NFS", OF_BLOB, walk);
    String mounted = given.path("localMounted").asText("usermount");
    if (mounted.equals("nomount")) {
      walk.refuse(
          AT + "/localMounted",
          "must be usermount or nnimount: the server puts the code there, and needs it mounted");
    }
    if (mounted.equals("nnimount")) {
      needed(given, "nnimount", List.of("nfsServer", "exportedDirectory"), walk);
    }
    // Both become arguments of mount.
    pattern(given, "nfsServer", "[A-Za-z0-9\\[][A-Za-z0-9.:\\]_-]*", "a name or an address", walk);
    pattern(given, "exportedDirectory", "/.*", "an absolute path", walk);
    String remote = given.path("remoteMountPoint").asText();
    if (!remote.isEmpty() && !remote.startsWith("/")) {
      walk.refuse(
          AT + "/remoteMountPoint",
          "must be absolute, such as /mnt/shared: the server mounts nothing where trials run");
    }
  }

  private static void blob(JsonNode given, Walk walk) {
    needed(given, "AzureBlob", OF_BLOB, walk);
    foreign(given, "AzureBlob", List.of("nfsServer", "exportedDirectory"), walk);
    if (!given.path("remoteMountPoint").asText("").isEmpty()) {
      // NNI's forms of before 3.0 cannot do without it.
      walk.notice(
          "sharedStorage.remoteMountPoint has no effect: trials reach the container without"
              + " mounting it.");
    }
    pattern(
        given,
        "storageAccountName",
        "[a-z0-9]{3,24}",
        "3 to 24 lower-case letters and digits",
        walk);
    pattern(
        given,
        "containerName",
        "(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*",
        "3 to 63 lower-case letters, digits and single dashes",
        walk);
  }

  private static void needed(JsonNode given, String by, List<String> keys, Walk walk) {
    for (String key : keys) {
      if (given.path(key).asText("").isEmpty() && !walk.faultyAt(AT + "/" + key)) {
        walk.refuse(AT + "/" + key, "is missing: " + by + " needs it");
      }
    }
  }

  private static void foreign(JsonNode given, String type, List<String> keys, Walk walk) {
    for (String key : keys) {
      if (!given.path(key).asText("").isEmpty()) {
        walk.refuse(AT + "/" + key, "does not belong to " + type);
      }
    }
  }

  private static void pattern(JsonNode given, String key, String pattern, String words, Walk walk) {
    String text = given.path(key).asText("");
    if (!text.isEmpty() && !text.matches(pattern)) {
      walk.refuse(AT + "/" + key, "must be " + words);
    }
  }

  /** What was understood of an experiment that {@link #read} found sound; null for nothing. */
  static @Nullable SharedStorageSpec spec(JsonNode root) {
    if (HERE.contains(root.path("trainingService").path("platform").asText())) {
      return null;
    }
    JsonNode given = root.path("sharedStorage");
    return switch (given.path("storageType").asText()) {
      case "NFS" ->
          new Nfs(
              given.path("localMountPoint").asText(),
              given.path("remoteMountPoint").asText(),
              given.path("localMounted").asText().equals("nnimount"),
              given.path("nfsServer").textValue(),
              given.path("exportedDirectory").textValue());
      case "AzureBlob" ->
          new Blob(
              given.path("storageAccountName").asText(),
              given.path("storageAccountKey").asText(),
              given.path("containerName").asText());
      default -> null;
    };
  }
}
