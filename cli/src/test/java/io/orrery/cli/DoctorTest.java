package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.CommandLineRun.Result;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.cli.server.UpOptions;
import io.orrery.core.check.CheckResult;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows that {@code orrery doctor} finds what is wrong, and that its bundle tells no secret. */
final class DoctorTest {
  private static final String OFF = "http: {port: 0}\nrouter: {port: 0}\n";

  @TempDir Path directory;
  private Path home;
  private CommandLineRun run;

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createDirectory(directory.resolve("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    run = new CommandLineRun(directory);
  }

  private void configure(String text) throws IOException {
    Files.writeString(home.resolve("orrery.yml"), text);
  }

  /** The verdict and the words of each check. */
  private Map<String, String> checks() throws IOException {
    Map<String, String> checks = new TreeMap<>();
    for (JsonNode item : Json.MAPPER.readTree(run.run("doctor", "--json").out()).path("items")) {
      checks.put(
          item.path("check").asText(),
          item.path("verdict").asText()
              + " "
              + item.path("found").asText()
              + " | "
              + item.path("advice").asText());
    }
    return checks;
  }

  @Test
  void aHealthyHomeHasNoFailure() throws Exception {
    configure(OFF);

    Result result = run.run("doctor");

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.out()).startsWith("CHECK").contains("java", "sync", "disk");
    assertThat(checks().keySet())
        .contains("java", "home", "disk", "sync", "clock", "python3", "configuration");
    assertThat(home)
        .isDirectoryNotContaining(file -> file.getFileName().toString().contains("doctor"));
  }

  @Test
  void aPortOfAnotherProgramIsAFailureAndThatOfOurServerIsNot() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      configure("http: {port: " + other.getLocalPort() + "}\nrouter: {port: 0}\n");

      assertThat(run.run("doctor").code()).isEqualTo(1);
      assertThat(checks().get("http.port")).startsWith("FAIL").contains("choose another http.port");

      Files.writeString(
          home.resolve("server.json"),
          "{\"pid\": %d, \"url\": \"http://127.0.0.1:1\"}"
              .formatted(ProcessHandle.current().pid()));
      assertThat(checks().get("http.port")).startsWith("OK");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "kafka: {bootstrapServers: '127.0.0.1:1'} | kafka 127.0.0.1:1 | FAIL",
        "clusters: {box: {runtime: container, socket: 'unix:///nowhere/podman.sock'}} | cluster box | FAIL /nowhere/podman.sock",
        "clusters: {dev: {runtime: kubernetes, kubeconfig: gone.yml}} | cluster dev | FAIL",
        "clusters: {dev: {runtime: swarm}} | cluster dev | FAIL its runtime is 'swarm'",
        "tuner: {patience: 5}}} | configuration | FAIL",
        "http: {port: 0, tls: {certificate: gone.pem, key: gone.key}} | certificate | FAIL",
        "cluster: {tls: {certificate: gone.pem, key: gone.key}} | certificate of the cluster | FAIL"
      })
  void whatTheConfigurationNamesIsLookedAt(String line, String check, String said)
      throws Exception {
    configure(line + "\n");

    assertThat(checks().get(check)).startsWith(said);
    assertThat(run.run("doctor").code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"400, OK", "10, WARN"})
  void aCertificateIsReadToItsEnd(int days, String verdict) throws Exception {
    certificate("-validity", String.valueOf(days));

    assertThat(checks().get("certificate")).startsWith(verdict).contains("CN=tune.example");
  }

  @Test
  void anExpiredCertificateIsAFailure() throws Exception {
    certificate("-startdate", "-20d", "-validity", "10");

    assertThat(checks().get("certificate")).startsWith("FAIL").contains("renew");
  }

  @Test
  void theServerLogsInToEachRegistry() throws Exception {
    configure(OFF);
    try (FakeServer server = new FakeServer()) {
      String all = "/api/v1/registries";
      server
          .on(
              "GET " + all,
              200,
              "{\"items\":[{\"name\":\"hub\"},{\"name\":\"own\"}],\"next\":null}")
          .on("POST " + all + "/hub/check", 200, "{\"ok\":true,\"reason\":\"logged in\"}")
          .on("POST " + all + "/own/check", 200, "{\"ok\":false,\"reason\":\"it says 401\"}");
      run.at(server);

      assertThat(checks())
          .containsEntry("registry hub", "OK logged in | ")
          .hasEntrySatisfying(
              "registry own", said -> assertThat(said).startsWith("FAIL it says 401"));
    }
    try (FakeServer server = new FakeServer()) {
      server.on(
          "GET /api/v1/registries", 403, "{\"title\":\"no\",\"detail\":\"That needs an admin.\"}");
      run.at(server);

      assertThat(checks().get("registries")).startsWith("WARN").contains("needs an admin");
    }
    assertThat(checks().keySet()).noneMatch(check -> check.startsWith("registr"));
  }

  @Test
  void aHomeThatOthersMayReadIsAWarning() throws Exception {
    configure(OFF);
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(checks().get("home")).startsWith("WARN").contains("chmod 700");
  }

  @Test
  void whatAStartWouldFindStandsInThePlaceOfALookFromOutside() throws Exception {
    configure(OFF);
    run.environment.put("COLOUR", "blue");
    run.launcher =
        new ServerLauncher() {
          @Override
          public int serve(UpOptions options) {
            return 0;
          }

          @Override
          public List<CheckResult> check(
              Path place, Path configuration, Map<String, String> environment) {
            return List.of(
                CheckResult.failed("configuration", "of " + place.relativize(configuration), "do"),
                CheckResult.ok("database", "is " + environment.get("COLOUR")));
          }
        };

    assertThat(checks())
        .containsEntry("configuration", "FAIL of orrery.yml | do")
        .containsEntry("database", "OK is blue | ")
        .containsKey("java");
    assertThat(run.run("doctor").code()).isEqualTo(1);
  }

  @Test
  void whatAnotherServerHasFoundIsToldAsItsOwnAndInTheBundle() throws Exception {
    configure(OFF);
    try (FakeServer server = new FakeServer()) {
      server.on(
          "GET /api/v1/status",
          200,
          """
          {"at":"2026-03-01T00:10:00.000Z","checks":[
           {"name":"database","state":"failed","found":"no answer of postgresql://me:hush@db",
            "hint":"look there","checkedAt":"2026-03-01T00:09:58.000Z",
            "server":{"id":"m2","url":"http://b:8080","host":"b"}}]}
          """);
      run.at(server);

      assertThat(checks())
          .containsEntry(
              "server: database (b, http://b:8080)",
              "FAIL no answer of postgresql://me:hush@db | look there");
      run.run("doctor", "--bundle", "bundle.zip");
    }
    assertThat(content(directory.resolve("bundle.zip")).get("status-of-the-servers.json"))
        .contains("http://b:8080", "2026-03-01T00:09:58.000Z", "no answer of postgresql://")
        .doesNotContain("hush");

    run.run("doctor", "--bundle", "alone.zip");

    assertThat(content(directory.resolve("alone.zip")).get("status-of-the-servers.json"))
        .contains("no server told its status");
  }

  @Test
  void theBundleHasNoSecret() throws Exception {
    List<String> secrets = new ArrayList<>();
    for (String name :
        List.of("store", "sha", "unknown", "nested", "variable", "server", "logged", "url")) {
      secrets.add("hush-" + name + "-5up3rs3cret");
    }
    configure(
        OFF
            + """
            store: {url: 'postgresql://me:hush-store-5up3rs3cret@127.0.0.1:1/db'}
            auth: {tokens: [{name: ci, role: admin, sha256: hush-sha-5up3rs3cret}]}
            future: {apiKey: hush-unknown-5up3rs3cret, list: [{deep: hush-nested-5up3rs3cret}]}
            """);
    run.environment.put("PGPASSWORD", "hush-variable-5up3rs3cret");
    run.environment.put("PROXY", "http://me:hush-url-5up3rs3cret@proxy:3128");
    byte[] key = "a key of thirty two bytes, not 31".getBytes(StandardCharsets.UTF_8);
    Files.write(home.resolve("secret"), key);
    secrets.add(new String(key, StandardCharsets.UTF_8));
    String token = "orrery_" + "Ab1_-".repeat(8);
    secrets.add(token);
    Files.writeString(
        home.resolve("server.json"),
        "{\"pid\": 1, \"url\": \"http://127.0.0.1:1\", \"token\": \"hush-server-5up3rs3cret\"}");
    Files.createDirectory(home.resolve("logs"));
    Files.writeString(
        home.resolve("logs/server.log"),
        "it connects to postgresql://me:hush-logged-5up3rs3cret@db\n"
            + "Create the first administrator at http://h/setup with the code hush-setup-code\n"
            + String.join("\n", secrets.stream().filter(word -> !word.contains("logged")).toList())
            + "\nthe last line\n");
    try (Connection database =
        DriverManager.getConnection("jdbc:sqlite:" + home.resolve("orrery.db"))) {
      database.createStatement().execute("create table experiment (name text)");
      database.createStatement().execute("insert into experiment values ('hush-row'), ('x')");
    }

    run.run("doctor", "--bundle", "bundle.zip");

    Map<String, String> content = content(directory.resolve("bundle.zip"));
    assertThat(content.keySet())
        .contains("versions.txt", "checks.json", "configuration.json", "rows.json");
    assertThat(content.get("rows.json")).contains("\"experiment\" : 2");
    assertThat(content.get("log-of-the-process.txt")).contains("the last line", "postgresql://");
    assertThat(content.get("configuration.json")).contains("\"role\" : \"admin\"", "\"apiKey\"");
    secrets.addAll(List.of("hush-row", "hush-setup-code"));
    content.forEach((name, text) -> assertThat(secrets).as(name).noneMatch(text::contains));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("bundle.zip"))))
        .isEqualTo("rw-------");
    assertThat(run.run("doctor", "--bundle", "bundle.zip").code()).isEqualTo(2);
  }

  private static Map<String, String> content(Path file) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (ZipFile archive = new ZipFile(file.toFile())) {
      Enumeration<? extends ZipEntry> entries = archive.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        content.put(
            entry.getName(),
            new String(archive.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return content;
  }

  private void certificate(String... validity) throws Exception {
    Path store = directory.resolve("keys.p12");
    List<String> made = new ArrayList<>(List.of("-genkeypair", "-dname", "CN=tune.example"));
    made.addAll(List.of("-keyalg", "EC", "-alias", "x"));
    made.addAll(List.of(validity));
    keytool(store, made);
    keytool(
        store,
        List.of(
            "-exportcert", "-rfc", "-alias", "x", "-file", home.resolve("cert.pem").toString()));
    Files.writeString(home.resolve("key.pem"), "a key\n");
    configure("http: {port: 0, tls: {certificate: cert.pem, key: key.pem}}\nrouter: {port: 0}\n");
  }

  private static void keytool(Path store, List<String> arguments) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    line.addAll(arguments);
    line.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
