package io.orrery.compute.dlc;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code trainingService} of an experiment on PAI-DLC.
 *
 * @param dataSources what is mounted in the containers, by DLC's ids
 * @param storage where outputs go besides the server; null for nowhere
 * @param callback the host that jobs reach the server at; null for that of its advertised URL
 */
record DlcSettings(
    Account account,
    String jobType,
    String type,
    String image,
    int pods,
    String machine,
    List<String> dataSources,
    @Nullable Storage storage,
    String command,
    @Nullable String callback) {
  static final String AT = "/trainingService";

  DlcSettings {
    dataSources = List.copyOf(dataSources);
  }

  /**
   * The account that jobs belong to.
   *
   * @param url of the region's service, without a trailing slash
   * @param keySecret as the configuration stores it
   */
  record Account(String url, String region, String workspace, String keyId, String keySecret) {
    String service() {
      return "PAI-DLC at " + url;
    }

    @Override
    public String toString() {
      return keyId + " at " + url;
    }
  }

  /** A data source that this machine has mounted as well. */
  record Storage(String local, String container) {
    String inContainer(AttemptRef attempt) {
      return container.replaceFirst("/+$", "") + "/" + folder(attempt);
    }

    String here(AttemptRef attempt) {
      return local + "/" + folder(attempt);
    }

    private static String folder(AttemptRef attempt) {
      return attempt.trial().experiment()
          + "/"
          + attempt.trial().trial()
          + (attempt.number() == 1 ? "" : "_a" + attempt.number());
    }
  }

  static DlcSettings of(JobSpec job) {
    JsonNode all = Json.MAPPER.valueToTree(job.trainingService().settings().values());
    String region = all.path("region").asText();
    String local = all.path("localStorageMountPoint").textValue();
    return new DlcSettings(
        new Account(
            all.path("endpoint").asText("https://pai-dlc." + region + ".aliyuncs.com"),
            region,
            all.path("workspaceId").asText(),
            all.path("accessKeyId").asText(),
            all.path("accessKeySecret").asText()),
        all.path("jobType").asText("TFJob"),
        all.path("type").asText("Worker"),
        all.path("image").asText(),
        all.path("podCount").asInt(1),
        all.path("ecsSpec").asText(),
        Stream.of("nasDataSourceId", "ossDataSourceId")
            .map(key -> all.path(key).textValue())
            .filter(Objects::nonNull)
            .toList(),
        local == null ? null : new Storage(local, all.path("containerStorageMountPoint").asText()),
        job.command(),
        all.path("nniManagerIp").textValue());
  }
}
