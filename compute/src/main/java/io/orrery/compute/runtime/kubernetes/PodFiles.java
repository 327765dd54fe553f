package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.service.Callback;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.contract.WorkloadFiles.Archive;
import io.orrery.core.bus.contract.WorkloadFiles.Kind;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Has a pod fetch the code and the model of its workload from the server before its program starts:
 * an init container unpacks them into a volume that both containers mount. Pure.
 *
 * @param server the URL that pods call the server at, without a trailing slash
 * @param passes derives the tokens of archives
 * @param image the image that fetches; null for that of the program, which then needs {@code
 *     python3}, or {@code curl} and {@code tar}
 */
record PodFiles(String server, OriginPasses passes, @Nullable String image) {
  /** The name of the container that fetches, and of the volume. */
  static final String CONTAINER = "files";

  /** The directory of the volume in a pod. */
  private static final String PLACE = "/orrery";

  private static final String SCRIPT = script();

  private static String script() {
    try (InputStream file =
        Objects.requireNonNull(PodFiles.class.getResourceAsStream("fetch-files.sh"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Archive> archives(WorkloadSpec spec) {
    Map<String, Archive> all = new TreeMap<>();
    if (spec.code() != null) {
      all.put("CODE", new Archive(Kind.CODE, spec.code()));
    }
    ModelFiles model = spec.model();
    if (model != null) {
      all.put("MODEL", new Archive(Kind.MODEL, model.digest()));
    }
    return all;
  }

  /** A sentence on why pods could not fetch what a specification needs; null when they can. */
  @Nullable String fault(WorkloadSpec spec, String cluster) {
    return !archives(spec).isEmpty() && Callback.isLoopback(server) && !Callback.isLoopback(cluster)
        ? "pods fetch the code and the model from this server, and %s is themselves: set http.host"
                .formatted(server)
            + " and http.advertiseUrl of the server to an address that pods reach, or put the files"
            + " into the image"
        : null;
  }

  /** The specification with the paths that its files have in a pod. */
  WorkloadSpec placed(WorkloadSpec spec) {
    WorkloadSpec coded = spec.code() == null ? spec : spec.in(PLACE + "/code");
    return spec.model() == null ? coded : coded.withModelIn(PLACE + "/model");
  }

  /**
   * The tokens of a specification's archives, by the key that they have in the Secret of its pod;
   * no variable of a program has such a name.
   */
  Map<String, String> tokens(WorkloadSpec spec) {
    Map<String, String> tokens = new TreeMap<>();
    archives(spec)
        .forEach((name, archive) -> tokens.put(key(name), passes.filesToken(archive.toString())));
    return tokens;
  }

  private static String key(String name) {
    return "token-" + name.toLowerCase(Locale.ROOT);
  }

  /**
   * Adds the volume and the container that fills it, and starts the program in its code.
   *
   * @param spec with the paths of the server
   * @param container of the program, whose resources it has but for GPUs
   * @param secret with the tokens
   */
  void fetch(ObjectNode pod, ObjectNode container, String secret, WorkloadSpec spec) {
    Map<String, Archive> archives = archives(spec);
    if (archives.isEmpty()) {
      return;
    }
    pod.withArrayProperty("volumes").addObject().put("name", CONTAINER).putObject("emptyDir");
    ObjectNode init = pod.putArray("initContainers").addObject();
    init.put("name", CONTAINER).put("image", Objects.requireNonNullElse(image, spec.image()));
    init.putArray("command").add("/bin/sh").add("-c").add(SCRIPT.replace("$(", "$$("));
    ArrayNode env = init.putArray("env");
    env.addObject().put("name", "ORRERY_URL").put("value", server);
    env.addObject().put("name", "ORRERY_FILES").put("value", PLACE);
    archives.forEach((name, archive) -> {
      env.addObject().put("name", "ORRERY_" + name).put("value", archive.toString());
      env.addObject()
          .put("name", "ORRERY_" + name + "_TOKEN")
          .putObject("valueFrom")
          .putObject("secretKeyRef")
          .put("name", secret)
          .put("key", key(name));
    });
    JsonNode resources = container.path("resources");
    if (resources.isObject()) {
      ObjectNode own = resources.deepCopy();
      if (own.path("limits") instanceof ObjectNode limits) {
        limits.remove(PodBody.GPU);
      }
      init.set("resources", own);
    }
    // What it says last is the reason that the pod shows.
    init.put("terminationMessagePolicy", "FallbackToLogsOnError");
    for (ObjectNode each : new ObjectNode[] {init, container}) {
      each.withArrayProperty("volumeMounts")
          .addObject()
          .put("name", CONTAINER)
          .put("mountPath", PLACE);
    }
    if (spec.code() != null) {
      container.put("workingDir", PLACE + "/code");
    }
  }
}
