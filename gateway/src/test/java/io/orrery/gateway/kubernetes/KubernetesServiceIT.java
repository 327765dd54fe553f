package io.orrery.gateway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.kubernetes.KubernetesServiceFactory;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.id.AttemptRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the contract on plain Jobs. */
class KubernetesServiceIT extends ClusterServiceContract {
  @Override
  TrainingServiceFactory factory() {
    return new KubernetesServiceFactory();
  }

  @Override
  String container() {
    return "main";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of("dockerImage", "python:3");
  }

  @Test
  void dollarsOfACommandAreReadByItsShellAndNotByTheCluster() throws Exception {
    AttemptRef attempt =
        submit("test \"$$\" -gt 1 && test '$(ORRERY_URL)' = '$'\"(ORRERY_URL)\" && exit 9");

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(9);
  }

  @Test
  void anUntoldEndIsToldToTheCanceler() throws Exception {
    AttemptRef attempt = submit("sleep 300; true");
    Eventually.until("it runs", () -> listener.started(attempt));
    done(service.close());
    lose(attempt);
    String path = "/apis/batch/v1/namespaces/trials/jobs/" + job(attempt);
    Eventually.until(
        "its job has failed",
        () -> cluster.get(path).at("/status/conditions").toString().contains("\"Failed\""));

    listener = new RecordingListener();
    service = open(surroundings());
    done(service.cancel(attempt));

    assertThat(listener.endedOf(attempt))
        .singleElement()
        .satisfies(ended -> assertThat(ended.reason()).isNotEqualTo("canceled"));
  }
}
