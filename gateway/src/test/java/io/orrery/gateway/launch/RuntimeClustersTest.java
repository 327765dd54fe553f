package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeClustersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "here: {runtime: container};                      /clusters/here;         another name",
        "Box: {runtime: container};                       /clusters/Box;          lower-case",
        "box: {runtime: docker};                          /clusters/box/runtime;  must be container",
        "box: {runtime: container, socket: /run/x.sock};  /clusters/box/socket;   unix://",
        "box: {runtime: container, network: bridged};     /clusters/box/network;  bridge or host",
        "box: {runtime: container, sockt: unix:///x};     /clusters/box/sockt;    did you mean",
        "box: container;                                  /clusters/box;          is an object",
        "dev: {runtime: kubernetes, kubeconfig: my.conf}; /clusters/dev/kubeconfig; absolute path",
        "dev: {runtime: kubernetes, socket: unix:///x};   /clusters/dev/socket;   no key socket",
        "dev: {runtime: kubernetes, namespaces: {servic: x}}; /clusters/dev/namespaces/servic; did you mean",
        "dev: {runtime: kubernetes, namespaces: {service: A_b}}; /clusters/dev/namespaces/service; lower-case",
      })
  void aClusterThatIsNoneIsRefusedWithItsPlace(String cluster, String pointer, String words) {
    assertThatThrownBy(
            () -> ServerConfig.read("clusters:\n  " + cluster + "\n", Map.of(), Map.of()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem().toString()).contains(pointer, words, "line=2"));
  }
}
