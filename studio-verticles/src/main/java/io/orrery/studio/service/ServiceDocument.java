package io.orrery.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Resources;
import io.orrery.studio.rollout.RolloutPolicy;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.service.ExposeReader.Wish;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a service's document.
 *
 * @param model null when it serves none, or the document does not say
 * @param cluster null for the project's
 * @param imageOf the build whose last image is used when no image is named; null for none
 * @param command empty for the one of the image
 * @param code SHA-256 of a code bundle; null for none
 * @param directory the absolute path of a directory of the server; null for none
 * @param stage where it is deployed when it is applied; null for nowhere
 * @param ports the first gets the requests
 * @param health null for a TCP connection to the first port
 * @param least the smallest number of replicas
 * @param most the largest number of replicas
 * @param scaling the rules by which their number changes; null for none
 * @param host an address besides the service's own, in lower case; null for none
 * @param rollout the way on which the service takes over its host from another
 * @param route keys of the route table that are passed on as they are
 * @param exposed the ports that are reached by an address and a number
 * @param files texts of small files that the program reads, by path
 */
record ServiceDocument(
    @Nullable ServedModel model,
    @Nullable String cluster,
    @Nullable String image,
    @Nullable String imageOf,
    List<String> command,
    @Nullable String code,
    @Nullable String directory,
    @Nullable ServiceStage stage,
    Map<String, String> environment,
    List<Integer> ports,
    @Nullable Health health,
    Duration startup,
    Duration grace,
    Resources resources,
    Mounts mounts,
    int least,
    int most,
    @Nullable ScalePolicy scaling,
    @Nullable String host,
    RolloutPolicy rollout,
    ObjectNode route,
    List<Wish> exposed,
    Map<String, String> files) {
  /** A check by HTTP. */
  record Health(int port, String path) {}

  ServiceDocument {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    ports = List.copyOf(ports);
    exposed = List.copyOf(exposed);
    files = Map.copyOf(files);
  }

  /**
   * The same with an image when it names none.
   *
   * @param usual null for none
   */
  ServiceDocument onImage(@Nullable String usual) {
    return image != null || usual == null
        ? this
        : with(model, usual, command, environment, health, files);
  }

  /**
   * The same with a model that was looked up, whose values are filled in.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when a value cannot stand in the
   *     command
   */
  ServiceDocument with(ServedModel found) {
    String fault = found.commandFault(command);
    if (fault != null) {
      throw new Problem.Refused(new Finding("/command", fault)).toException();
    }
    files.forEach((path, text) -> {
      String inFile = found.fileFault(text);
      if (inFile != null) {
        throw new Problem.Refused(new Finding(Pointer.child("/config", path), inFile))
            .toException();
      }
    });
    Map<String, String> variables = new HashMap<>(environment);
    variables.replaceAll((name, value) -> found.fill(value));
    Map<String, String> texts = new HashMap<>(files);
    texts.replaceAll((name, text) -> found.fill(text));
    return with(
        found,
        image,
        command.stream().map(found::fill).toList(),
        variables,
        health == null ? null : new Health(health.port(), found.fill(health.path())),
        texts);
  }

  /** The same with all that a model or an image that was looked up changes. */
  private ServiceDocument with(
      @Nullable ServedModel otherModel,
      @Nullable String otherImage,
      List<String> otherCommand,
      Map<String, String> otherEnvironment,
      @Nullable Health otherHealth,
      Map<String, String> otherFiles) {
    return new ServiceDocument(
        otherModel,
        cluster,
        otherImage,
        imageOf,
        otherCommand,
        code,
        directory,
        stage,
        otherEnvironment,
        ports,
        otherHealth,
        startup,
        grace,
        resources,
        mounts,
        least,
        most,
        scaling,
        host,
        rollout,
        route,
        exposed,
        otherFiles);
  }
}
