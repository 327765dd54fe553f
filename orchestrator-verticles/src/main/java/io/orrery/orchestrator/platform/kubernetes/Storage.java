package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import org.jspecify.annotations.Nullable;

/**
 * A volume that pods mount, for what trials leave. The cluster mounts it, so the server needs
 * neither a mount nor a privilege; the code comes from the server whatever the storage is.
 *
 * @param source the volume as a pod names it, without a name
 * @param url where it is, for people
 */
public record Storage(ObjectNode source, String url) {
  private static final String VOLUME = "nni-vol";
  private static final String MOUNT = "/tmp/mount";

  /** The storage of a section; null when everything goes to the server alone. */
  static @Nullable Storage of(JsonNode section) {
    ObjectNode source = Json.MAPPER.createObjectNode();
    String path = section.path("path").asText();
    return switch (section.path("storageType").asText()) {
      case "nfs" -> {
        String server = section.path("server").asText();
        source.putObject("nfs").put("server", server).put("path", path);
        yield new Storage(source, "nfs://" + server + (path.startsWith("/") ? "" : "/") + path);
      }
      case "pvc" -> {
        String claim = section.path("claimName").asText();
        source.putObject("persistentVolumeClaim").put("claimName", claim);
        yield new Storage(source, "pvc://" + claim);
      }
      case "azureStorage" -> {
        String share = section.path("azureShare").asText();
        source
            .putObject("azureFile")
            .put("secretName", section.path("azureSecretName").asText())
            .put("shareName", share)
            .put("readOnly", false);
        yield new Storage(
            source,
            "https://" + section.path("azureAccount").asText() + ".file.core.windows.net/" + share);
      }
      default -> null;
    };
  }

  /** Mounts it into a pod. */
  void mount(ObjectNode spec, ObjectNode container) {
    ObjectNode volume = spec.withArrayProperty("volumes").addObject().put("name", VOLUME);
    volume.setAll(source);
    container
        .withArrayProperty("volumeMounts")
        .addObject()
        .put("name", VOLUME)
        .put("mountPath", MOUNT);
  }

  /** Where an attempt leaves its files, as its pods see it. */
  static String directory(AttemptRef attempt) {
    return MOUNT + folder(attempt);
  }

  /** Where an attempt leaves its files, as people find it. */
  String url(AttemptRef attempt) {
    return url.replaceFirst("/+$", "") + folder(attempt);
  }

  private static String folder(AttemptRef attempt) {
    return "/nni/"
        + attempt.trial().experiment()
        + "/"
        + attempt.trial().trial()
        + (attempt.number() == 1 ? "" : "-a" + attempt.number());
  }
}
