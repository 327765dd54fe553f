package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.ExperimentId;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Secrets of a cluster that hold the tokens of attempts. Attempts of an experiment that are
 * launched in the same moment share a Secret, which is called like the first of their jobs: each is
 * under its job's name there, and a pod gets that one alone. It is made after the jobs, because an
 * owner is named by its uid; so it is owned by all of them from the beginning, and goes with the
 * last. A pod that is quicker waits for it, as pods do.
 *
 * <p>A job says which Secret it needs. So a server that finds it there, after a launch that was cut
 * off, knows where its token belongs.
 */
final class TokenSecrets {
  private final String platform;
  private final Map<ExperimentId, TokenSecret> open = new ConcurrentHashMap<>();

  TokenSecrets(String platform) {
    this.platform = platform;
  }

  /** The Secret for an attempt that is about to be launched, which has joined it. */
  TokenSecret join(JobAttempt attempt) {
    ExperimentId experiment = attempt.ref().trial().experiment();
    Cluster cluster = attempt.site().cluster();
    return open.compute(
        experiment,
        (id, present) -> {
          if (present != null && present.join()) {
            return present;
          }
          String name = attempt.name();
          TokenSecret fresh =
              new TokenSecret(name, holders -> make(cluster, experiment, name, holders));
          fresh.join();
          return fresh;
        });
  }

  /** No attempt of this experiment is launched any more. */
  void forget(ExperimentId experiment) {
    open.remove(experiment);
  }

  private void make(
      Cluster cluster, ExperimentId experiment, String name, List<TokenHolder> holders) {
    if (!cluster.createNew(
        ResourceType.SECRET, Manifests.tokens(platform, experiment, name, holders))) {
      // One that was launched again; the others of the first time have theirs in it.
      holders.forEach(holder -> add(cluster, experiment, name, holder));
    }
  }

  /** Adds what may be missing, to a Secret that may be missing too; any number of times. */
  void add(Cluster cluster, ExperimentId experiment, String name, TokenHolder holder) {
    ObjectNode secret = Manifests.tokens(platform, experiment, name, List.of(holder));
    cluster.add(ResourceType.SECRET, secret, holder.key());
  }

  /** The jobs of an experiment whose tokens lie somewhere in a cluster. */
  Set<String> present(Cluster cluster, ExperimentId experiment) {
    Set<String> keys = new HashSet<>();
    for (JsonNode secret : cluster.list(ResourceType.SECRET, Labels.of(platform, experiment))) {
      secret.path("data").fieldNames().forEachRemaining(keys::add);
    }
    return keys;
  }
}
