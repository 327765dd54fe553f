package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of the platform {@code openpai}, as NNI's documentation has them. */
class OpenPaiConfigTest extends SpecFixture {
  private static final String HEAD =
      """
      trialCommand: python3 trial.py
      trialCodeDirectory: code
      trialConcurrency: 1
      searchSpace: {}
      tuner: {name: Random}
      """;

  private static final String KEYS =
      """
      trialGpuNumber: 0
      trainingService:
        platform: openpai
        host: http://123.123.123.123
        username: ada
        token: secret
        dockerImage: msranni/nni
        trialCpuNumber: 1
        trialMemorySize: 8GB
        storageConfigName: confignfs-data
        localStorageMountPoint: mnt
        containerStorageMountPoint: /mnt/confignfs-data
      """;

  private static final String DOCUMENT =
      """
      protocolVersion: 2
      name: mine
      type: job
      secrets: {docker_password: hush}
      prerequisites: [{type: dockerimage, name: image, uri: "python:3"}]
      taskRoles:
        worker:
          dockerImage: image
          resourcePerInstance: {cpu: 2, memoryMB: 4096, gpu: 1}
          commands: [cd x, python3 worker.py]
        ps:
          dockerImage: image
          resourcePerInstance: {cpu: 2, memoryMB: 4096, gpu: 1}
          commands: [python3 ps.py]
      defaults: {virtualCluster: vc1}
      extras: {storages: [{name: data}]}
      """;

  private static final String WITH_FILE =
      """
      trialCodeDirectory: code
      trialConcurrency: 1
      searchSpace: {}
      tuner: {name: Random}
      trainingService:
        platform: openpai
        host: pai.example.org
        username: ada
        token: env:PAI_TOKEN
        openpaiConfigFile: job.yaml
      """;

  @BeforeEach
  void mount() throws IOException {
    Files.createDirectory(directory.resolve("mnt"));
    write("job.yaml", DOCUMENT);
  }

  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of("local", "openpai"), Map.of(), () -> SEED, secret -> sealed(secret))
        .read(text, directory.toString());
  }

  private static String sealed(String secret) {
    return secret.startsWith("env:") ? secret : "sealed:" + secret.length();
  }

  private Map<String, @Nullable Object> settings(String text) {
    return spec(text).job().trainingService().settings().values();
  }

  private static String without(String key) {
    String text = HEAD + KEYS;
    return text.lines()
        .filter(line -> !line.strip().startsWith(key + ":"))
        .reduce("", (all, line) -> all + line + "\n");
  }

  @Test
  void theDocumentedExampleIsRead() {
    ExperimentSpec spec = spec(HEAD + KEYS);

    assertThat(spec.job().gpuNumber()).isZero();
    assertThat(spec.job().trainingService().settings().values())
        .containsEntry("host", "http://123.123.123.123")
        .containsEntry("username", "ada")
        .containsEntry("token", "sealed:6")
        .containsEntry("dockerImage", "msranni/nni")
        .containsEntry("trialCpuNumber", 1L)
        .containsEntry("trialMemorySize", 8192L)
        .containsEntry("localStorageMountPoint", directory.resolve("mnt").toString())
        .containsEntry("containerStorageMountPoint", "/mnt/confignfs-data");
    assertThat(spec.description().config()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "username",
        "token",
        "localStorageMountPoint",
        "storageConfigName",
        "trialCpuNumber",
        "trialMemorySize",
        "trialGpuNumber"
      })
  void whatIsRequiredIsMissed(String key) {
    Finding fault = fault(without(key));

    assertThat(fault.pointer()).endsWith("/" + key);
    assertThat(fault.message()).contains("is missing");
  }

  @Test
  void whatIsOptionalHasADefault() {
    assertThat(settings(without("containerStorageMountPoint")))
        .containsEntry("containerStorageMountPoint", "/mnt/confignfs-data");
    assertThat(settings(without("dockerImage"))).containsEntry("dockerImage", "msranni/nni:latest");
    assertThat(settings(HEAD + KEYS)).doesNotContainKey("virtualCluster");
  }

  @Test
  void withoutAnyKeyOfAStorageOutputsGoToTheServer() {
    String text = HEAD + KEYS.lines().limit(9).reduce("", (all, line) -> all + line + "\n");

    assertThat(settings(text)).doesNotContainKeys("storageConfigName", "localStorageMountPoint");
  }

  @ParameterizedTest
  @CsvSource({
    "10.10.5.1, https://10.10.5.1",
    "http://10.10.5.1, http://10.10.5.1",
    "https://pai.example.org/, https://pai.example.org",
    "pai.example.org:8443, https://pai.example.org:8443",
  })
  void aHostIsSpokenToInHttpsUnlessItSaysOtherwise(String written, String meant) {
    assertThat(settings((HEAD + KEYS).replace("http://123.123.123.123", written)))
        .containsEntry("host", meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "http://ada:pw@x", "x?y=z", "http://"})
  void whatIsNoHostIsRefusedAndNotRepeated(String written) {
    Finding fault = fault((HEAD + KEYS).replace("http://123.123.123.123", written));

    assertThat(fault.pointer()).isEqualTo("/trainingService/host");
    assertThat(fault.message()).doesNotContain("pw");
  }

  @Test
  void aTokenAndAPasswordAreOneTooMany() {
    assertThat(fault(HEAD + KEYS + "  password: pw\n").message()).contains("there is a token");
  }

  @Test
  void aDocumentInAFileTakesTheFilesPlace() {
    SpecReading reading = read(WITH_FILE);
    ExperimentSpec spec = Objects.requireNonNull(reading.spec(), reading.findings().toString());

    assertThat(spec.job().command()).isEqualTo("cd x && python3 worker.py");
    assertThat(spec.job().trainingService().settings().values())
        .doesNotContainKeys("openpaiConfigFile", "dockerImage")
        .containsEntry("host", "https://pai.example.org")
        .containsEntry("token", "env:PAI_TOKEN")
        .containsKey("openpaiConfig");
    assertThat(spec.description().config()).doesNotContain("hush").contains("sealed:4");
    assertThat(reading.notices())
        .anySatisfy(notice -> assertThat(notice).contains("worker reports"))
        .anySatisfy(notice -> assertThat(notice).contains("name is not used"));
    assertThat(spec(spec.description().config()).job().trainingService().settings().values())
        .containsKey("openpaiConfig");
  }

  @ParameterizedTest
  @CsvSource({
    "dockerImage, other, python:3",
    "virtualCluster, vc2, vc1",
    "storageConfigName, elsewhere, data",
    "trialCpuNumber, 3, 2",
    "trialGpuNumber, 2, 1",
    "trialMemorySize, 1gb, 4096",
  })
  void whatTheDocumentDecidesCannotBeSaidOtherwise(String key, String value, String said) {
    Finding fault = fault(WITH_FILE + "  " + key + ": " + value + "\n");

    assertThat(fault.pointer()).isEqualTo("/trainingService/" + key);
    assertThat(fault.message()).contains("openpaiConfig decides it", said, "leave it out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dockerImage: 'python:3'",
        "virtualCluster: vc1",
        "trialCpuNumber: 2",
        "trialGpuNumber: 1",
        "trialMemorySize: 4gb"
      })
  void whatSaysTheSameAsTheDocumentIsTaken(String line) {
    spec(WITH_FILE + "  " + line + "\n");
  }

  @Test
  void aFileAndADocumentAreOneTooMany() {
    assertThat(fault(WITH_FILE + "  openpaiConfig: {taskRoles: {}}\n").message())
        .contains("leave one of them out");
  }

  @Test
  void theRoleThatReportsCanBeNamed() {
    assertThat(spec(WITH_FILE + "  reportingTaskRole: ps\n").job().command())
        .isEqualTo("python3 ps.py");
    assertThat(fault(WITH_FILE + "  reportingTaskRole: chief\n").message()).contains("worker, ps");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing.yaml                        | must be a file",
        "space.json                          | taskRoles must be an object",
      })
  void whatIsNoDocumentIsRefused(String file, String message) {
    assertThat(fault(WITH_FILE.replace("job.yaml", file)).message()).contains(message);
  }

  @Test
  void aRoleNeedsCommands() {
    write("job.yaml", DOCUMENT.replace("commands: [python3 ps.py]", "commands: []"));

    assertThat(fault(WITH_FILE).message()).contains("must be a list of shell commands");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'cpu: 2, '              | ''          | resourcePerInstance/cpu      | is missing",
        "'memoryMB: 4096, '      | ''          | resourcePerInstance/memoryMB | is missing",
        "', gpu: 1'              | ''          | resourcePerInstance/gpu      | is missing",
        "cpu: 2                  | cpu: 0      | resourcePerInstance/cpu      | from 1",
        "dockerImage: image      | output: []  | dockerImage                  | is missing",
        "dockerImage: image      | dockerImage: other | dockerImage           | no prerequisite",
      })
  void whatTheKeysDoNotSayTheDocumentMust(String said, String instead, String key, String message) {
    write("job.yaml", DOCUMENT.replaceFirst(said, instead));

    Finding fault = fault(WITH_FILE);

    assertThat(fault.pointer()).isEqualTo("/trainingService/openpaiConfig/taskRoles/worker/" + key);
    assertThat(fault.message()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "trialCpuNumber: 1, trialCpuNumber: 0, trialCpuNumber",
    "trialCpuNumber: 1, trialCpuNumber: -2, trialCpuNumber",
    "trialMemorySize: 8GB, trialMemorySize: 8 gallons, trialMemorySize",
    "localStorageMountPoint: mnt, localStorageMountPoint: none, localStorageMountPoint",
    "containerStorageMountPoint: /mnt, containerStorageMountPoint: mnt, containerStorageMountPoint",
  })
  void aValueThatCannotBeIsRefused(String line, String instead, String key) {
    assertThat(fault((HEAD + KEYS).replace(line, instead)).pointer())
        .isEqualTo("/trainingService/" + key);
  }

  @Test
  void aDocumentInPlaceIsTheSameAsOneInAFile() {
    String inPlace =
        WITH_FILE.replace("openpaiConfigFile: job.yaml\n", "openpaiConfig:\n" + DOCUMENT.indent(4));

    assertThat(settings(inPlace).get("openpaiConfig"))
        .isEqualTo(settings(WITH_FILE).get("openpaiConfig"));
  }

  @Test
  void theOlderFormMaySayWhatATrialNeedsInPaiConfig() {
    ExperimentSpec spec =
        spec(
            older(
                "{command: python3 trial.py, codeDir: code, image: a, nniManagerNFSMountPath: mnt,"
                    + " containerNFSMountPath: /mnt/data, paiStorageConfigName: data}",
                "{userName: ada, token: hush, host: 10.10.5.1, gpuNum: 2, cpuNum: 3, memoryMB: 512}"));

    assertThat(spec.job().gpuNumber()).isEqualTo(2);
    assertThat(spec.job().trainingService().settings().values())
        .containsEntry("token", "sealed:4")
        .containsEntry("trialCpuNumber", 3L)
        .containsEntry("trialMemorySize", 512L);
  }

  @Test
  void theOlderFormMayNameAJobOfOnesOwn() {
    ExperimentSpec spec =
        spec(
            older(
                "{codeDir: code, nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/data,"
                    + " paiConfigPath: job.yaml}",
                "{userName: ada, token: hush, host: 10.10.5.1}"));

    assertThat(spec.job().command()).isEqualTo("cd x && python3 worker.py");
    assertThat(spec.job().trainingService().settings().values()).containsKey("openpaiConfig");
  }

  @Test
  void theOlderFormTakesOneOfTokenAndPassword() {
    String trial =
        "{command: x, codeDir: code, image: a, gpuNum: 0, cpuNum: 1, memoryMB: 1,"
            + " nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/data, paiStorageConfigName: d}";

    assertThat(
            fault(older(trial, "{userName: a, token: t, passWord: p, host: h.example.org}"))
                .message())
        .contains("one thing too many");
    assertThat(fault(older(trial, "{userName: a, host: h.example.org}")).message())
        .contains("is missing");
  }

  private static String older(String trial, String paiConfig) {
    return """
    authorName: ada
    experimentName: older
    trialConcurrency: 1
    trainingServicePlatform: pai
    searchSpacePath: space.json
    tuner: {builtinTunerName: Random}
    trial: %s
    paiConfig: %s
    """
        .formatted(trial, paiConfig);
  }

  @Test
  void theOlderFormMeansTheSame() {
    ExperimentSpec spec =
        spec(
            """
            authorName: ada
            experimentName: older
            trialConcurrency: 1
            maxTrialNum: 2
            trainingServicePlatform: pai
            searchSpacePath: space.json
            tuner: {builtinTunerName: Random}
            trial:
              command: python3 trial.py
              codeDir: code
              gpuNum: 0
              cpuNum: 1
              memoryMB: 8192
              image: msranni/nni
              virtualCluster: default
              nniManagerNFSMountPath: mnt
              containerNFSMountPath: /mnt/confignfs-data
              paiStorageConfigName: confignfs-data
            paiConfig: {userName: ada, passWord: hush, host: 10.10.5.1, reuse: false}
            """);

    assertThat(spec.job().gpuNumber()).isZero();
    assertThat(spec.job().trainingService().settings().values())
        .containsEntry("username", "ada")
        .containsEntry("password", "sealed:4")
        .containsEntry("host", "https://10.10.5.1")
        .containsEntry("trialMemorySize", 8192L)
        .containsEntry("storageConfigName", "confignfs-data")
        .containsEntry("localStorageMountPoint", directory.resolve("mnt").toString());
  }
}
