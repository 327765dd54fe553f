package io.orrery.gateway.launch;

import io.orrery.compute.keeper.KeptLimits;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.config.ConfigReader;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.PostgresAddress;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.auth.TokenReader;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.cluster.Roles;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.gateway.http.Network;
import io.orrery.gateway.http.TlsFiles;
import io.orrery.gateway.kafka.KafkaConfig;
import io.orrery.gateway.launch.UserKeys.SandboxChoice;
import io.orrery.orchestrator.run.ArtifactSettings;
import io.orrery.orchestrator.submission.RateLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server's configuration.
 *
 * @param host the address that is bound
 * @param port 0 for any free one
 * @param advertiseUrl what trials call back, without a trailing slash; null for the bound address
 * @param proxy below which path a proxy serves the server
 * @param tls null serves plain HTTP; its paths as they were written
 * @param store the database of experiments, trials and metrics; null for files in the home
 * @param tokens who may use the server; empty requires no login
 * @param accounts how people come by accounts
 * @param sandbox how their programs are kept apart
 * @param router how the serving router listens; the path of its file as it was written
 * @param kafka null without; the path of its file as it was written
 * @param tunerPatience how long a search algorithm may think without progress
 * @param codeLimits how much code may be shipped to trials elsewhere
 * @param keptLimits how much trials elsewhere may leave here
 * @param workspaceBytes that the files of a person may have
 * @param platformRates how many trials platforms are given, by their names
 * @param quota what all projects share
 * @param clusters where services run besides the processes of this machine, by their names
 * @param cluster null for a server that works alone
 * @param roles which parts it runs
 * @param alerts how alerts of pipelines are sent
 * @param builds of images
 * @param gitNetworks those besides the Internet that code is fetched from
 * @param artifacts where those of runs are kept
 * @param modelNetworks those besides the Internet that models are downloaded from
 * @param telemetry what it tells its operators
 */
record ServerConfig(
    String host,
    int port,
    @Nullable String advertiseUrl,
    BehindProxy proxy,
    @Nullable TlsFiles tls,
    @Nullable PostgresAddress store,
    List<AccessToken> tokens,
    AccountSources accounts,
    SandboxChoice sandbox,
    RouterConfig router,
    @Nullable KafkaConfig kafka,
    Duration tunerPatience,
    CodeLimits codeLimits,
    KeptLimits keptLimits,
    long workspaceBytes,
    Map<String, RateLimit> platformRates,
    QuotaKeys.Settings quota,
    Map<String, RuntimeCluster> clusters,
    @Nullable ClusterConfig cluster,
    Set<ServerRole> roles,
    AlertConfig alerts,
    BuildKeys.Settings builds,
    List<Network> gitNetworks,
    ArtifactSettings artifacts,
    List<Network> modelNetworks,
    Telemetry telemetry) {
  static final ConfigKey<String> HOST =
      ConfigKey.text(
          "http.host",
          "127.0.0.1",
          "an address of this machine",
          "The address that API, UI and trial channels listen on.");

  static final ConfigKey<Integer> PORT =
      ConfigKey.integer("http.port", 8080, 0, 65535, "Its port; 0 takes any that is free.");

  static final ConfigKey<String> ADVERTISE_URL =
      ConfigKey.text(
          "http.advertiseUrl",
          null,
          "an http or https URL",
          "What trials on other machines call back; the bound address when it is not set.");

  static final ConfigKey<String> TLS_CERTIFICATE =
      ConfigKey.text(
          "http.tls.certificate",
          null,
          "a PEM file",
          "The certificate of the port, those that signed it after it; then the port speaks TLS.");

  static final ConfigKey<String> TLS_KEY =
      ConfigKey.text("http.tls.key", null, "a PEM file", "Its private key, without a password.");

  static final ConfigKey<String> TLS_AUTHORITY =
      ConfigKey.text(
          "http.tls.authority",
          null,
          "a PEM file",
          "The certificates that sign those of clients, such as routers alone: a client that shows"
              + " one may read, under its common name. Without it clients are asked for none.");

  static final ConfigKey<Integer> TLS_LOCAL_PORT =
      ConfigKey.integer(
          "http.tls.localPort",
          8079,
          0,
          65535,
          "With TLS, where this machine alone is served plain HTTP; 0 takes any that is free.");

  static final ConfigKey<String> STORE_URL =
      ConfigKey.text(
          "store.url",
          null,
          "a URL: postgresql://user@host:5432/database",
          "The PostgreSQL database of experiments, trials and metrics; files in the home when it is"
              + " not set.");

  static final ConfigKey<List<AccessToken>> TOKENS =
      new ConfigKey<>(
          "auth.tokens",
          List.of(),
          "a list of {name, role, sha256}",
          "Who may use the server; without it no login is required.",
          TokenReader::read);

  static final ConfigKey<String> ROUTER_HOST =
      ConfigKey.text(
          "router.host",
          "127.0.0.1",
          "an address of this machine",
          "The address that the serving router listens on.");

  static final ConfigKey<Integer> ROUTER_PORT =
      ConfigKey.integer(
          "router.port", 8000, 0, 65535, "The serving router's port; 0 takes any that is free.");

  static final ConfigKey<String> ROUTER_DOMAIN =
      ConfigKey.text(
          "router.domain",
          "orrery.localhost",
          "a lower-case name such as example.com",
          "Every service answers at NAME.service.DOMAIN, and every host of a table ends with it.");

  static final ConfigKey<String> ROUTER_CONFIG =
      ConfigKey.text(
          "router.config",
          null,
          "a YAML file with the key services",
          "The table that the router begins with; the last one that was put when it is not set.");

  static final ConfigKey<Integer> TUNER_PATIENCE =
      ConfigKey.integer(
          "tuner.patience",
          120,
          5,
          86_400,
          "Seconds that a tuner or assessor may think without progress before it is started"
              + " again.");

  static final ConfigKey<Integer> CODE_ENTRIES =
      ConfigKey.integer(
          "code.entries",
          CodeLimits.DEFAULT.entries(),
          1,
          200_000,
          "Files and directories of a code directory that is shipped to trials elsewhere.");

  static final ConfigKey<Integer> CODE_MEGABYTES =
      ConfigKey.integer(
          "code.megabytes",
          (int) (CodeLimits.DEFAULT.bytes() >> 20),
          1,
          100_000,
          "Megabytes (2^20 bytes) of such a directory, before it is packed.");

  static final ConfigKey<Integer> TRIALS_LOG_MEGABYTES =
      ConfigKey.integer(
          "trials.logMegabytes",
          (int) (KeptLimits.DEFAULT.logs() >> 20),
          1,
          100_000_000,
          "Megabytes of all logs that one attempt of a trial elsewhere may leave here.");

  static final ConfigKey<Integer> TRIALS_OUTPUT_MEGABYTES =
      ConfigKey.integer(
          "trials.outputMegabytes",
          (int) (KeptLimits.DEFAULT.outputs() >> 20),
          1,
          100_000_000,
          "Megabytes of all files that one attempt of a trial elsewhere may leave here.");

  static final List<ConfigKey<?>> KEYS =
      Stream.of(
              Stream.<ConfigKey<?>>of(
                  HOST,
                  PORT,
                  ADVERTISE_URL,
                  ProxyKeys.BASE_PATH,
                  ProxyKeys.TRUSTED,
                  TLS_CERTIFICATE,
                  TLS_KEY,
                  TLS_AUTHORITY,
                  TLS_LOCAL_PORT,
                  STORE_URL,
                  TOKENS),
              UserKeys.KEYS.stream(),
              OpenIdKeys.KEYS.stream(),
              Stream.<ConfigKey<?>>of(ProxyKeys.USER_HEADER, ProxyKeys.USER_FROM),
              Stream.<ConfigKey<?>>of(
                  ROUTER_HOST,
                  ROUTER_PORT,
                  ROUTER_DOMAIN,
                  RouterConfig.ADVERTISE_URL,
                  ROUTER_CONFIG),
              RouterConfig.KEYS.stream(),
              KafkaKeys.KEYS.stream(),
              Stream.<ConfigKey<?>>of(
                  TUNER_PATIENCE,
                  CODE_ENTRIES,
                  CODE_MEGABYTES,
                  TRIALS_LOG_MEGABYTES,
                  TRIALS_OUTPUT_MEGABYTES,
                  PlatformRates.KEY,
                  RuntimeClusters.KEY,
                  Roles.KEY,
                  AlertKeys.NETWORKS,
                  GitKeys.NETWORKS,
                  ModelKeys.NETWORKS),
              MailKeys.KEYS.stream(),
              QuotaKeys.KEYS.stream(),
              BuildKeys.KEYS.stream(),
              ArtifactKeys.KEYS.stream(),
              ClusterConfig.KEYS.stream(),
              TelemetryKeys.KEYS.stream())
          .<ConfigKey<?>>flatMap(keys -> keys)
          .toList();

  ServerConfig {
    tokens = List.copyOf(tokens);
    modelNetworks = List.copyOf(modelNetworks);
    platformRates = Map.copyOf(platformRates);
    clusters = Map.copyOf(clusters);
    gitNetworks = List.copyOf(gitNetworks);
    roles = Set.copyOf(roles);
  }

  /** Whether people have accounts. */
  boolean users() {
    return accounts.any();
  }

  /** Reads it; see {@link ConfigReader#read}. */
  static ServerConfig read(
      @Nullable String file, Map<String, String> environment, Map<String, String> flags) {
    Config config = ConfigReader.read(KEYS, file, environment, flags);
    String advertise = config.find(ADVERTISE_URL);
    String store = config.find(STORE_URL);
    ClusterConfig cluster = ClusterConfig.of(config, store != null);
    return new ServerConfig(
        config.get(HOST),
        config.get(PORT),
        advertise == null ? null : advertised(advertise),
        ProxyKeys.read(config),
        tls(config),
        store == null ? null : PostgresAddress.parse(store, environment),
        config.get(TOKENS),
        new AccountSources(
            config.get(UserKeys.USERS), OpenIdKeys.read(config), ProxyKeys.user(config)),
        UserKeys.sandbox(config),
        RouterConfig.of(config),
        KafkaKeys.read(config),
        Duration.ofSeconds(config.get(TUNER_PATIENCE)),
        new CodeLimits(config.get(CODE_ENTRIES), (long) config.get(CODE_MEGABYTES) << 20),
        new KeptLimits(
            (long) config.get(TRIALS_LOG_MEGABYTES) << 20,
            (long) config.get(TRIALS_OUTPUT_MEGABYTES) << 20),
        (long) config.get(UserKeys.WORKSPACE_MEGABYTES) << 20,
        config.get(PlatformRates.KEY),
        QuotaKeys.read(config),
        config.get(RuntimeClusters.KEY),
        cluster,
        Roles.of(config, cluster, advertise),
        new AlertConfig(config.get(AlertKeys.NETWORKS), MailKeys.read(config)),
        BuildKeys.read(config),
        config.get(GitKeys.NETWORKS),
        ArtifactKeys.read(config),
        config.get(ModelKeys.NETWORKS),
        TelemetryKeys.read(config));
  }

  private static String advertised(String url) {
    String plain = url.replaceAll("/+$", "");
    if (!plain.matches("https?://[^/?#@]+(/[^?#]*)?")) {
      throw refused(
          "/http/advertiseUrl",
          ADVERTISE_URL.name() + " is '" + url + "': it must be " + ADVERTISE_URL.bounds());
    }
    return plain;
  }

  private static @Nullable TlsFiles tls(Config config) {
    String certificate = config.find(TLS_CERTIFICATE);
    String key = config.find(TLS_KEY);
    if (certificate == null && key == null && config.find(TLS_AUTHORITY) == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw refused("/http/tls", "http.tls needs both: certificate and key");
    }
    return new TlsFiles(certificate, key, config.find(TLS_AUTHORITY), config.get(TLS_LOCAL_PORT));
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }

  /**
   * The same with the paths of its files made absolute.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when one of them cannot be read
   */
  ServerConfig from(Path directory) {
    Path table = router.file();
    return new ServerConfig(
        host,
        port,
        advertiseUrl,
        proxy,
        tls == null
            ? null
            : new TlsFiles(
                readable(directory, tls.certificate(), TLS_CERTIFICATE),
                readable(directory, tls.key(), TLS_KEY),
                tls.authority() == null
                    ? null
                    : readable(directory, tls.authority(), TLS_AUTHORITY),
                tls.localPort()),
        store,
        tokens,
        accounts,
        sandbox,
        table == null
            ? router
            : router.withFile(Path.of(readable(directory, table.toString(), ROUTER_CONFIG))),
        kafka == null || kafka.properties() == null
            ? kafka
            : new KafkaConfig(
                kafka.servers(),
                kafka.metricsTopic(),
                kafka.eventsTopic(),
                Path.of(readable(directory, kafka.properties().toString(), KafkaKeys.PROPERTIES))),
        tunerPatience,
        codeLimits,
        keptLimits,
        workspaceBytes,
        platformRates,
        quota,
        clusters,
        cluster == null ? null : cluster.from(directory),
        roles,
        alerts.from(directory),
        builds,
        gitNetworks,
        artifacts,
        modelNetworks,
        telemetry);
  }

  private static String readable(Path directory, String file, ConfigKey<String> key) {
    Path path = directory.resolve(file);
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw refused(
          "/" + key.name().replace('.', '/'), key.name() + " is " + path + ": it cannot be read");
    }
    return path.toString();
  }
}
