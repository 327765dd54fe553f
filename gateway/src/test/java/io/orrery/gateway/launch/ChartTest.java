package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.orrery.router.route.RouterFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart, rendered by Helm: its objects fit the API, each other, and the server. */
class ChartTest {
  private static final String TOKENS =
      """
      auth: {tokens: [{name: me, role: admin, sha256: %s}, {name: router, role: viewer, sha256: %s}]}
      """
          .formatted("ab".repeat(32), "cd".repeat(32));
  private static final String ROUTER = "router: {tokenSecret: orrery-router-token}\n";
  private static final String CLUSTER =
      """
      server: {replicas: 3, advertiseUrl: "https://tune.example", config: {tuner: {patience: 60}}}
      shared: {claim: orrery-shared}
      database: {url: "postgresql://orrery@db:5432/orrery", passwordSecret: db}
      """;
  private static final String EVERYTHING =
      CLUSTER
          + """
          auth: {users: true, sandbox: none}
          rbac: {namespaces: [trials, models, ml]}
          image: {tag: "1.2.3", pullSecrets: [registry]}
          router: {tokenSecret: orrery-router-token, replicas: 4, domain: tune.example, serviceType: LoadBalancer, javaOptions: -Xmx800m,
            nodeSelector: {disk: ssd}, tolerations: [{key: edge, operator: Exists}]}
          networkPolicy:
            clients: [{namespaceSelector: {matchLabels: {team: ml}}}]
            monitoring: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
          serviceMonitor: {enabled: true, labels: {release: prometheus}}
          """;

  @TempDir Path folder;

  static Stream<String> values() {
    return Stream.of(
        TOKENS + ROUTER,
        TOKENS + "router: {enabled: false}",
        TOKENS
            + ROUTER
            + """
            networkPolicy: {enabled: false}
            podDisruptionBudget: {enabled: false}
            rbac: {create: false}
            """,
        TOKENS + ROUTER + CLUSTER,
        EVERYTHING);
  }

  @Test
  void helmFindsNoFault() {
    LintResult linted = Chart.linted();

    assertThat(linted.isFailed()).as(linted.getMessages().toString()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("values")
  void everyKeyIsOneOfTheApi(String values) throws Exception {
    Chart chart = Chart.rendered(folder, values);

    assertThat(chart.objects()).hasSizeGreaterThan(4);
    for (HasMetadata object : chart.objects()) {
      if (!object.getApiVersion().startsWith("monitoring.coreos.com/")) {
        assertThat(UnknownFields.of(object)).isEmpty();
      }
      assertThat(object.getMetadata().getName()).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    }
    assertThat(
            chart.objects().stream()
                .map(object ->
                    object.getKind()
                        + " "
                        + object.getMetadata().getNamespace()
                        + " "
                        + object.getMetadata().getName()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aKeyThatTheApiDoesNotHaveWouldBeFound() throws Exception {
    Service service =
        new KubernetesSerialization()
            .unmarshal(
                "apiVersion: v1\nkind: Service\nspec: {ports: [{prot: 80}]}\n", Service.class);

    assertThat(UnknownFields.of(service)).containsExactly("Service.Spec.Ports[].prot");
  }

  @ParameterizedTest
  @MethodSource("values")
  void whatAnObjectNamesIsThere(String values) throws Exception {
    Chart chart = Chart.rendered(folder, values);

    for (PodTemplateSpec pod : pods(chart)) {
      assertThat(chart.all(ServiceAccount.class))
          .extracting(account -> account.getMetadata().getName())
          .contains(pod.getSpec().getServiceAccountName());
      Set<String> volumes =
          pod.getSpec().getVolumes().stream().map(Volume::getName).collect(Collectors.toSet());
      volumes.add("home");
      assertThat(container(pod).getVolumeMounts())
          .extracting(VolumeMount::getName)
          .allMatch(volumes::contains);
    }
    for (Service service : chart.all(Service.class)) {
      List<String> open = ports(chart, service.getSpec().getSelector());
      assertThat(service.getSpec().getPorts())
          .allMatch(port -> open.contains(port.getTargetPort().getStrVal()));
    }
    for (NetworkPolicy policy : chart.all(NetworkPolicy.class)) {
      List<String> open = ports(chart, policy.getSpec().getPodSelector().getMatchLabels());
      assertThat(policy.getSpec().getIngress())
          .flatExtracting(rule -> rule.getPorts())
          .extracting(NetworkPolicyPort::getPort)
          .extracting(IntOrString::getStrVal)
          .allMatch(open::contains);
    }
    for (PodDisruptionBudget budget : chart.all(PodDisruptionBudget.class)) {
      assertThat(ports(chart, budget.getSpec().getSelector().getMatchLabels())).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("values")
  void podsAreThoseOfTheLevelRestricted(String values) throws Exception {
    List<PodTemplateSpec> pods = pods(Chart.rendered(folder, values));

    assertThat(pods).isNotEmpty();
    for (PodTemplateSpec pod : pods) {
      assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSpec().getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      Container container = container(pod);
      assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
      assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
      assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
      assertThat(container.getReadinessProbe()).isNotNull();
      assertThat(container.getLivenessProbe()).isNotNull();
      assertThat(container.getResources().getLimits()).containsKey("memory");
    }
  }

  /** RoleManifestTest compares those rules with what the code does. */
  @Test
  void theRoleIsTheLeastInEachNamespaceAlone() throws Exception {
    String manifest = Files.readString(Path.of("../deploy/kubernetes/rbac.yaml"));
    Role least =
        new KubernetesSerialization().unmarshal(manifest.split("(?m)^---$")[1], Role.class);
    Chart chart = Chart.rendered(folder, EVERYTHING);

    assertThat(chart.all(Role.class))
        .allSatisfy(role -> assertThat(role.getRules()).isEqualTo(least.getRules()))
        .extracting(role -> role.getMetadata().getNamespace())
        .containsExactlyInAnyOrder("ml", "trials", "models");
    assertThat(chart.all(RoleBinding.class))
        .hasSize(3)
        .allSatisfy(binding -> {
          assertThat(binding.getRoleRef().getName()).isEqualTo("orrery");
          assertThat(binding.getSubjects())
              .singleElement()
              .satisfies(subject -> {
                assertThat(subject.getName()).isEqualTo("orrery");
                assertThat(subject.getNamespace()).isEqualTo("ml");
              });
        });
    assertThat(chart.text()).doesNotContain("ClusterRole");
    assertThat(
            chart
                .one(Deployment.class, "orrery-router")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getAutomountServiceAccountToken())
        .isFalse();
  }

  @ParameterizedTest
  @MethodSource("values")
  void theServerTakesItsConfiguration(String values) throws Exception {
    Chart chart = Chart.rendered(folder, values);
    ServerConfig config = ServerConfig.read(chart.configuration(), Map.of(), Map.of());

    if (values.startsWith("auth: {tokens")) {
      assertThat(config.tokens())
          .extracting(token -> token.name() + " " + token.role().word())
          .containsExactly("me admin", "router viewer");
    } else {
      assertThat(config.users()).isTrue();
    }
    assertThat(config.host()).isEqualTo("0.0.0.0");
    for (ConfigMap routes : chart.all(ConfigMap.class)) {
      RouterFile router = RouterFile.read(routes.getData().get("routes.yml"), folder);
      assertThat(router.domain()).isEqualTo(config.router().domain());
    }
  }

  @Test
  void serversFindEachOtherByTheNamesOfTheirPods() throws Exception {
    Chart chart = Chart.rendered(folder, EVERYTHING);

    assertThat(chart.configuration())
        .contains(
            "orrery-0.orrery-members.ml.svc:5701",
            "orrery-2.orrery-members.ml.svc:5701",
            "patience: 60");
    assertThat(chart.one(Service.class, "orrery-members").getSpec().getClusterIP())
        .isEqualTo("None");
    assertThat(chart.one(StatefulSet.class, "orrery").getSpec().getServiceName())
        .isEqualTo("orrery-members");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "server: {replicas: 3} | needs database.url and shared.claim",
        "server: {replica: 3} | replica",
        "router: {replicas: none} | router",
        "router: {replicas: 3} | router.tokenSecret",
        "auth: {users: true} | sandbox",
        "auth: {tokens: [{name: me, role: admin, sha256: orrery_x}]} | sha256",
        "auth: {tokens: []} | nothing says who may use it",
        "database: {url: 'postgresql://me:secret@db/x'} | url",
        "networkPolicy: {enabled: 'yes'} | enabled"
      })
  void valuesThatCannotBeMeantAreRefused(String values, String said) {
    StringBuilder whole = new StringBuilder(values).append('\n');
    Stream.of(TOKENS, ROUTER)
        .filter(part -> !values.startsWith(part.substring(0, part.indexOf(':'))))
        .forEach(whole::append);

    assertThatThrownBy(() -> Chart.rendered(folder, whole.toString())).hasMessageContaining(said);
  }

  private static List<PodTemplateSpec> pods(Chart chart) {
    List<PodTemplateSpec> pods = new ArrayList<>();
    chart.all(StatefulSet.class).forEach(set -> pods.add(set.getSpec().getTemplate()));
    chart.all(Deployment.class).forEach(set -> pods.add(set.getSpec().getTemplate()));
    return pods;
  }

  private static Container container(PodTemplateSpec pod) {
    assertThat(pod.getSpec().getContainers()).hasSize(1);
    return pod.getSpec().getContainers().getFirst();
  }

  /** The names of the ports of the pods that a selector takes. */
  private static List<String> ports(Chart chart, Map<String, String> selector) {
    return pods(chart).stream()
        .filter(pod -> pod.getMetadata().getLabels().entrySet().containsAll(selector.entrySet()))
        .flatMap(pod -> container(pod).getPorts().stream())
        .map(ContainerPort::getName)
        .toList();
  }
}
