package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.keeper.KeptLimits;
import io.orrery.compute.runtime.container.ContainerCluster;
import io.orrery.compute.runtime.container.ContainerNetwork;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.route.PortRange;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.gateway.http.Network;
import io.orrery.gateway.http.TlsFiles;
import io.orrery.gateway.kafka.KafkaConfig;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.orchestrator.run.ArtifactSettings;
import io.orrery.orchestrator.submission.RateLimit;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.TcpListen;
import io.orrery.router.route.UploadRate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  private static final String SHA = "ab".repeat(32);

  private static KubernetesCluster cluster(String name, String file, String context, String ns) {
    return new KubernetesCluster(
        name,
        new ClusterAddress(file, context, ns),
        new ClusterAddress(file, context, "pipeline"),
        new ClusterAddress(file, context, "jupyter"),
        new ClusterAddress(file, context, "automl"));
  }

  @Test
  void theDefaults() {
    assertThat(ServerConfig.read(null, Map.of(), Map.of()))
        .isEqualTo(
            new ServerConfig(
                "127.0.0.1",
                8080,
                null,
                BehindProxy.NONE,
                null,
                null,
                List.of(),
                AccountSources.NONE,
                SandboxSetupTest.UNSAID,
                new RouterConfig(
                    "127.0.0.1",
                    8000,
                    "orrery.localhost",
                    null,
                    ClientLimits.standard(),
                    TcpListen.STANDARD,
                    null),
                null,
                Duration.ofMinutes(2),
                new CodeLimits(2_000, 300L << 20),
                new KeptLimits(4L << 30, 32L << 30),
                100L << 30,
                Map.of(),
                QuotaKeys.Settings.STANDARD,
                Map.of(),
                null,
                ServerRole.all(),
                new AlertConfig(List.of(), null),
                BuildKeys.Settings.STANDARD,
                List.of(),
                new ArtifactSettings.Home(),
                List.of(),
                Telemetry.STANDARD));
  }

  @Test
  void everyKeySet() {
    String file =
        """
        http:
          host: 10.0.0.1
          port: 9000
          advertiseUrl: https://tune.example/
          basePath: /team/tune/
          trustedProxies: [127.0.0.1, "fd00::/8"]
          tls: {certificate: cert.pem, key: key.pem, localPort: 9001}
        auth:
          tokens: [{name: ci, role: admin, sha256: %s},
            {name: wall, role: viewer, sha256: %s}]
        router:
          host: 10.0.0.2
          port: 80
          domain: example.com
          advertiseUrl: https://example.com:8443/
          config: routes.yml
          limits: {memory: 256MB, memoryPerClient: 64MB, memoryPerConnection: 512KB, connections: 20000,
            connectionsPerClient: 100, slow: 30s, uploadRate: 2KB, uploadWindow: 10s}
          tcp: {host: 10.0.0.3, ports: 31000-31999}
        kafka: {bootstrapServers: "a:9092,b:9092", metricsTopic: m, eventsTopic: e, properties: kafka.properties}
        tuner: {patience: 600}
        alerts: {networks: [10.0.0.7, 192.168.0.0/16]}
        code: {entries: 5000, megabytes: 1000}
        trials: {logMegabytes: 500, outputMegabytes: 100000}
        platforms: {rates: {local: 20/second, remote: 90/minute burst 30}}
        clusters: {box: {runtime: container, socket: unix:///run/box.sock, network: host, image: "python:3.13", externalIp: 10.0.0.7|gpu.example.com}, pod: {runtime: container}, own: {runtime: kubernetes},
          dev: {runtime: kubernetes, kubeconfig: /etc/kubeconfig, context: dev, image: "python:3", namespaces: {service: models}}}
        """
            .formatted(SHA, SHA.toUpperCase(java.util.Locale.ROOT));
    assertThat(ServerConfig.read(file, Map.of(), Map.of()))
        .isEqualTo(
            new ServerConfig(
                "10.0.0.1",
                9000,
                "https://tune.example",
                new BehindProxy(
                    "/team/tune", List.of(Network.parse("127.0.0.1"), Network.parse("fd00::/8"))),
                new TlsFiles("cert.pem", "key.pem", null, 9001),
                null,
                List.of(
                    new AccessToken("ci", UserRole.ADMIN, SHA),
                    new AccessToken("wall", UserRole.VIEWER, SHA)),
                AccountSources.NONE,
                SandboxSetupTest.UNSAID,
                new RouterConfig(
                    "10.0.0.2",
                    80,
                    "example.com",
                    Path.of("routes.yml"),
                    new ClientLimits(
                        256 << 20,
                        64 << 20,
                        512 << 10,
                        20_000,
                        100,
                        Duration.ofSeconds(30),
                        new UploadRate(2048, Duration.ofSeconds(10))),
                    new TcpListen("10.0.0.3", new PortRange(31_000, 31_999)),
                    URI.create("https://example.com:8443")),
                new KafkaConfig("a:9092,b:9092", "m", "e", Path.of("kafka.properties")),
                Duration.ofMinutes(10),
                new CodeLimits(5_000, 1_000L << 20),
                new KeptLimits(500L << 20, 100_000L << 20),
                100L << 30,
                Map.of("local", new RateLimit(20, 20), "remote", new RateLimit(1.5, 30)),
                QuotaKeys.Settings.STANDARD,
                Map.of(
                    "box",
                    new RuntimeCluster.OfContainers(
                        new ContainerCluster(
                            "box", Path.of("/run/box.sock"), ContainerNetwork.HOST),
                        List.of(new ExternalAddress("10.0.0.7", "gpu.example.com")),
                        "python:3.13"),
                    "pod",
                    new RuntimeCluster.OfContainers(
                        new ContainerCluster(
                            "pod", Path.of("/run/podman/podman.sock"), ContainerNetwork.BRIDGE),
                        List.of(),
                        null),
                    "dev",
                    new RuntimeCluster.OfKubernetes(
                        cluster("dev", "/etc/kubeconfig", "dev", "models"), List.of(), "python:3"),
                    "own",
                    new RuntimeCluster.OfKubernetes(
                        cluster("own", null, null, "service"), List.of(), null)),
                null,
                ServerRole.all(),
                new AlertConfig(
                    List.of(Network.parse("10.0.0.7"), Network.parse("192.168.0.0/16")), null),
                BuildKeys.Settings.STANDARD,
                List.of(),
                new ArtifactSettings.Home(),
                List.of(),
                Telemetry.STANDARD));
  }

  /** G8. */
  @Test
  void aBasePathIsAPathAndATrustedProxyAnAddress() {
    Map<String, String> variables =
        Map.of("ORRERY_HTTP_BASE_PATH", "/tune", "ORRERY_HTTP_TRUSTED_PROXIES", "10.0.0.0/8, ::1");
    assertThat(ServerConfig.read(null, variables, Map.of()).proxy())
        .isEqualTo(
            new BehindProxy("/tune", List.of(Network.parse("10.0.0.0/8"), Network.parse("::1"))));
    for (String wrong : List.of("tune", "/a//b", "/a/../b", "/a b", "/a?b", "/a".repeat(200))) {
      assertThatThrownBy(
              () -> ServerConfig.read(null, Map.of("ORRERY_HTTP_BASE_PATH", wrong), Map.of()))
          .as(wrong)
          .hasMessageContaining("ORRERY_HTTP_BASE_PATH is");
    }
    for (String wrong : List.of("", "proxy.example", "10.0.0.0/33", "10.0.0.0/x", "1.2.3.4,")) {
      String file = "http: {trustedProxies: ['" + wrong + "']}";
      assertThatThrownBy(() -> ServerConfig.read(file, Map.of(), Map.of()))
          .as(wrong)
          .hasMessageContaining("http.trustedProxies is");
    }
  }

  @Test
  void aRateIsANumberOverATime() {
    Map<String, String> variable = Map.of("ORRERY_PLATFORMS_RATES", "{local: 0.5/second}");
    assertThat(ServerConfig.read(null, variable, Map.of()).platformRates())
        .containsOnly(Map.entry("local", new RateLimit(0.5, 1)));
    for (String wrong : List.of("fast", "0/second", "5/second burst 0", "-1/second", "3/hour")) {
      String file = "platforms: {rates: {local: '" + wrong + "'}}";
      assertThatThrownBy(() -> ServerConfig.read(file, Map.of(), Map.of()))
          .as(wrong)
          .hasMessageContaining("platforms.rates is");
    }
    assertThatThrownBy(() ->
            PlatformRates.known(Map.of("lokal", new RateLimit(1, 1)), List.of("local", "remote")))
        .hasMessageContainingAll("'lokal', which is not here", "local");
  }

  @Test
  void serversThatShareWorkShareADatabaseAndADirectory() {
    String database = "store: {url: 'postgresql://me@db/trials'}\n";
    String cluster = "cluster: {members: ['a:5701', 'b:5702'], port: 5702, directory: shared}\n";
    assertThat(ServerConfig.read(database + cluster, Map.of(), Map.of()).cluster())
        .isEqualTo(
            new ClusterConfig(
                List.of("a:5701", "b:5702"),
                "127.0.0.1",
                5702,
                0,
                new ClusterConfig.Advertised(0, 0),
                Path.of("shared"),
                null,
                Duration.ofSeconds(6)));
    assertThat(
            ServerConfig.read(
                    database + "cluster: {directory: /d}",
                    Map.of("ORRERY_CLUSTER_MEMBERS", "a:1, b:2"),
                    Map.of())
                .from(Path.of("/base"))
                .cluster()
                .members())
        .containsExactly("a:1", "b:2");
    assertThat(ServerConfig.read(database, Map.of(), Map.of()).cluster()).isNull();
    assertThatThrownBy(() ->
            ServerConfig.read("cluster: {members: ['a:1'], directory: /d}", Map.of(), Map.of()))
        .hasMessageContaining("store.url is missing");
    assertThatThrownBy(
            () -> ServerConfig.read(database + "cluster: {members: ['a:1']}", Map.of(), Map.of()))
        .hasMessageContaining("at the same path: it is missing");
    assertThatThrownBy(
            () -> ServerConfig.read("cluster: {members: ['nowhere']}", Map.of(), Map.of()))
        .hasMessageContaining("a list of host:port");
  }

  @Test
  void aProcessRunsThePartsThatItIsTold() {
    String shared =
        """
        store: {url: 'postgresql://me@db/trials'}
        cluster: {members: ['a:5701', 'b:5702'], directory: shared}
        """;
    Map<String, String> variable = Map.of("ORRERY_ROLES", "gateway, metrics");
    assertThat(ServerConfig.read(shared + "roles: [router]\n", Map.of(), Map.of()).roles())
        .containsOnly(ServerRole.ROUTER);
    assertThat(ServerConfig.read(shared, variable, Map.of()).roles())
        .containsOnly(ServerRole.GATEWAY, ServerRole.METRICS);
    assertThat(ServerConfig.read(shared, variable, Map.of("roles", "metrics")).roles())
        .containsOnly(ServerRole.METRICS);
    assertThatThrownBy(() -> ServerConfig.read(shared, Map.of(), Map.of("roles", "gateway,tunner")))
        .hasMessageContaining("there is no role 'tunner' (did you mean 'tuner'?)")
        .hasMessageContaining("gateway, orchestrator, tuner, metrics, router");
    assertThatThrownBy(() -> ServerConfig.read(null, Map.of(), Map.of("roles", "gateway,tuner")))
        .hasMessageContaining("works alone")
        .hasMessageContaining("cluster.members");
    assertThatThrownBy(() -> ServerConfig.read(shared, Map.of(), Map.of("roles", "orchestrator")))
        .hasMessageContaining("http.advertiseUrl");
    assertThat(
            ServerConfig.read(
                    null, Map.of(), Map.of("roles", "router,metrics,tuner,orchestrator,gateway"))
                .roles())
        .isEqualTo(ServerRole.all());
  }

  @Test
  void theStoreIsADatabaseWhosePasswordIsNotShown() {
    ServerConfig config =
        ServerConfig.read(
            "store: {url: 'postgresql://me:secret@db:5433/trials'}", Map.of(), Map.of());
    assertThat(config.store()).hasToString("postgresql://me@db:5433/trials");
    assertThat(config.toString()).doesNotContain("secret");
  }

  @Test
  void aStoreThatIsNoneIsRefusedWithoutItsPassword() {
    assertThatThrownBy(() ->
            ServerConfig.read(
                null, Map.of("ORRERY_STORE_URL", "mysql://me:secret@db/trials"), Map.of()))
        .hasMessageContaining("store.url")
        .hasMessageNotContaining("secret");
  }

  @Test
  void tokensMayStandInTheEnvironmentAsTheyDoInTheFile() {
    String list = "[{name: ci, role: viewer, sha256: " + SHA + "}]";

    assertThat(ServerConfig.read(null, Map.of("ORRERY_AUTH_TOKENS", list), Map.of()).tokens())
        .containsExactly(new AccessToken("ci", UserRole.VIEWER, SHA));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{name: a, role: admin, sha265: x};      /auth/tokens/0/sha265; did you mean 'sha256'",
        "{name: a, role: admn, sha256: x};       /auth/tokens/0/role;   did you mean 'admin'",
        "{name: a, role: admin, sha256: secret}; /auth/tokens/0/sha256; 64 hexadecimal digits",
        "{role: admin, sha256: x};               /auth/tokens/0/name;   has a name",
        "x;                                      /auth/tokens/0;        is an object",
      })
  void aTokenThatIsNoneIsRefusedWithItsPlaceAndNeverRepeated(
      String token, String pointer, String words) {
    assertThatThrownBy(
            () -> ServerConfig.read("auth:\n  tokens:\n    - " + token + "\n", Map.of(), Map.of()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem().toString()).contains(pointer, words, "line=3"))
        .satisfies(refused -> assertThat(refused.toString()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "auth: {tokens: []}; at least one",
        "auth: {token: []}; did you mean 'auth.tokens'",
        "http: {tls: {certificate: a}}; needs both",
        "http: {tls: {certficate: a}}; did you mean 'http.tls.certificate'",
        "http: {advertiseUrl: tune.example}; an http or https URL",
        "http: {advertiseUrl: 'https://me:secret@tune.example'}; an http or https URL",
      })
  void whatCannotBeIsRefused(String file, String words) {
    assertThatThrownBy(() -> ServerConfig.read(file, Map.of(), Map.of()))
        .hasMessageContaining(words);
  }

  @Test
  void twoTokensOfOneNameAreRefused() {
    String one = "{name: ci, role: admin, sha256: " + SHA + "}";

    assertThatThrownBy(() ->
            ServerConfig.read("auth: {tokens: [" + one + ", " + one + "]}", Map.of(), Map.of()))
        .hasMessageContaining("two tokens");
  }

  @Test
  void aCertificateThatCannotBeReadIsNamed(@TempDir Path directory) {
    ServerConfig config =
        ServerConfig.read("http: {tls: {certificate: a.pem, key: b.pem}}", Map.of(), Map.of());
    assertThatThrownBy(() -> config.from(directory))
        .hasMessageContaining(directory.resolve("a.pem").toString())
        .hasMessageContaining("http.tls.certificate");
  }
}
