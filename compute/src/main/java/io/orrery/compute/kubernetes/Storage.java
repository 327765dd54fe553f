package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A volume that pods mount, for what trials leave. The cluster mounts it, so the server needs
 * neither a mount nor a privilege; the code comes from the server whatever the storage is.
 *
 * @param source the volume as a pod names it, without a name
 * @param within the directory of the volume that is mounted; null for all of it
 * @param url where it is, for people
 * @param vaulted where the key of an Azure account is, when the cluster does not have it yet; else
 *     null
 */
public record Storage(
    ObjectNode source, @Nullable String within, String url, @Nullable Vaulted vaulted) {
  private static final String VOLUME = "nni-vol";
  private static final String MOUNT = "/tmp/mount";
  private static final int TRIES = 3;

  /**
   * The share of an account whose key is a secret of a Key Vault.
   *
   * @param tries how often Azure is asked, while it has no time
   */
  record Vaulted(String account, String share, String vault, String secret, int tries) {}

  /** The storage of a section; null when everything goes to the server alone. */
  static @Nullable Storage of(JsonNode section) {
    ObjectNode source = Json.MAPPER.createObjectNode();
    String path = section.path("path").asText();
    return switch (section.path("storageType").asText()) {
      case "nfs" -> {
        String server = section.path("server").asText();
        source.putObject("nfs").put("server", server).put("path", path);
        String url = "nfs://" + server + (path.startsWith("/") ? "" : "/") + path;
        yield new Storage(source, null, url, null);
      }
      case "pvc" -> {
        String claim = section.path("claimName").asText();
        source.putObject("persistentVolumeClaim").put("claimName", claim);
        String within = path.replaceAll("^/+|/+$", "");
        yield within.isEmpty()
            ? new Storage(source, null, "pvc://" + claim, null)
            : new Storage(source, within, "pvc://" + claim + "/" + within, null);
      }
      case "azureStorage" -> azure(source, section);
      default -> null;
    };
  }

  private static Storage azure(ObjectNode source, JsonNode section) {
    String account = section.path("azureAccount").asText();
    String share = section.path("azureShare").asText();
    String present = section.path("azureSecretName").textValue();
    ObjectNode azure = source.putObject("azureFile");
    if (present != null) {
      azure.put("secretName", present);
    }
    azure.put("shareName", share).put("readOnly", false);
    return new Storage(
        source,
        null,
        "https://" + account + ".file.core.windows.net/" + share,
        present != null
            ? null
            : new Vaulted(
                account,
                share,
                section.path("keyVaultName").asText(),
                section.path("keyVaultKey").asText(),
                section.path("uploadRetryCount").asInt(TRIES)));
  }

  /** Mounts it into a pod of an experiment. */
  void mount(ExperimentId experiment, ObjectNode spec, ObjectNode container) {
    ObjectNode volume = spec.withArrayProperty("volumes").addObject().put("name", VOLUME);
    volume.setAll(source.deepCopy());
    if (vaulted != null) {
      volume.withObjectProperty("azureFile").put("secretName", secretName(experiment));
    }
    ObjectNode mount = container.withArrayProperty("volumeMounts").addObject();
    mount.put("name", VOLUME).put("mountPath", MOUNT);
    if (within != null) {
      mount.put("subPath", within);
    }
  }

  /** The Secret with the account's key, which is made for an experiment. */
  static String secretName(ExperimentId experiment) {
    return JobName.shared(experiment, "azure");
  }

  /** The directory of an attempt's files, as its pods see it. */
  static String directory(AttemptRef attempt) {
    return MOUNT + folder(attempt);
  }

  /** The URL of an attempt's files, for people. */
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
