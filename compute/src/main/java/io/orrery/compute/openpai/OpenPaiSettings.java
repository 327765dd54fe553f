package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code trainingService} of an experiment on OpenPAI.
 *
 * @param virtualCluster null for the cluster's default
 * @param storage where outputs go besides the server; null for nowhere
 * @param document of the user's own; null when the keys below say what a job is
 * @param reporter the role of the document that reports; null for its first
 * @param callback the host that jobs reach the server at; null for that of its advertised URL
 */
record OpenPaiSettings(
    Account account,
    @Nullable String virtualCluster,
    @Nullable Storage storage,
    @Nullable ObjectNode document,
    @Nullable String reporter,
    String image,
    int cpus,
    long memory,
    int gpus,
    String command,
    @Nullable String callback) {
  static final String AT = "/trainingService";

  /**
   * The account that jobs belong to.
   *
   * @param url with its scheme and without a trailing slash
   * @param token as the configuration stores it; null when there is a password
   * @param password as the configuration stores it; null when there is a token
   */
  record Account(String url, String user, @Nullable String token, @Nullable String password) {
    String service() {
      return "OpenPAI at " + url;
    }

    @Override
    public String toString() {
      return user + " at " + url;
    }
  }

  /**
   * A storage of the cluster that this machine has mounted as well.
   *
   * @param name OpenPAI's; null when the document names it
   */
  record Storage(@Nullable String name, Path local, String container) {
    /** Where an attempt leaves its files, as its job sees it. */
    String inContainer(AttemptRef attempt) {
      return container.replaceFirst("/+$", "") + "/" + folder(attempt);
    }

    /** Where an attempt leaves its files, as this machine sees it. */
    Path here(AttemptRef attempt) {
      return local.resolve(folder(attempt));
    }

    private static String folder(AttemptRef attempt) {
      return attempt.trial().experiment()
          + "/"
          + attempt.trial().trial()
          + (attempt.number() == 1 ? "" : "_a" + attempt.number());
    }
  }

  static OpenPaiSettings of(JobSpec job) {
    JsonNode all = Json.MAPPER.valueToTree(job.trainingService().settings().values());
    String local = all.path("localStorageMountPoint").textValue();
    Integer gpus = job.gpuNumber();
    return new OpenPaiSettings(
        new Account(
            all.path("host").asText(),
            all.path("username").asText(),
            all.path("token").textValue(),
            all.path("password").textValue()),
        all.path("virtualCluster").textValue(),
        local == null
            ? null
            : new Storage(
                all.path("storageConfigName").textValue(),
                Path.of(local),
                all.path("containerStorageMountPoint").asText()),
        all.path("openpaiConfig") instanceof ObjectNode document ? document : null,
        all.path("reportingTaskRole").textValue(),
        all.path("dockerImage").asText(),
        all.path("trialCpuNumber").asInt(),
        all.path("trialMemorySize").asLong(),
        gpus == null ? 0 : gpus,
        job.command(),
        all.path("nniManagerIp").textValue());
  }
}
