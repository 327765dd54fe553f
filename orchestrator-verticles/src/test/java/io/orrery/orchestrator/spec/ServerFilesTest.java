package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads experiments of authors who may not name each file of the server. */
class ServerFilesTest {
  private static final String EXPERIMENT =
      """
      trialCommand: python3 t.py
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      """;

  @TempDir Path temp;
  private Path shared;
  private Path secret;

  @BeforeEach
  void directories() throws Exception {
    Path real = temp.toRealPath();
    shared = Files.createDirectory(real.resolve("shared"));
    secret = Files.createDirectory(real.resolve("secret"));
    Files.writeString(secret.resolve("key"), "{}");
    Files.createSymbolicLink(shared.resolve("link"), secret);
  }

  private List<Finding> findings(String text, boolean everything) {
    Predicate<Path> shown = path -> path.startsWith(shared);
    return new SpecReader(
            List.of(
                "local",
                "remote",
                "kubernetes",
                "kubeflow",
                "frameworkcontroller",
                "adl",
                "hybrid"),
            Map.of(),
            () -> 1,
            it -> "sealed:" + it)
        .read(EXPERIMENT + text, shared.toString(), "", everything ? null : shown)
        .findings();
  }

  private void isForAdministrators(String text, String pointer) {
    String whole = text.replace("SECRET", secret.toString());
    assertThat(findings(whole, true)).as("an administrator").isEmpty();
    assertThat(findings(whole, false))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo(pointer);
          assertThat(finding.message()).contains("administrators");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"env:HOME", "file:/etc/hostname", "sealed:abc"})
  void aSecretThatTheServerWouldLookUpIsForAdministrators(String password) {
    isForAdministrators(
        "trainingService: {platform: remote, machineList: [{host: a, user: b, password: '%s'}]}\n"
            .formatted(password),
        "/trainingService/machineList/0/password");
  }

  @Test
  void aSecretThatIsWrittenOutIsForAll() {
    String text =
        "trainingService: {platform: remote, machineList: [{host: a, user: b, password: xyz}]}\n";

    assertThat(findings(text, false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "trialCodeDirectory: SECRET; /trialCodeDirectory",
        "trialCodeDirectory: ../secret; /trialCodeDirectory",
        "trialCodeDirectory: link; /trialCodeDirectory",
      })
  void aPathOutsideWhatProgramsReadIsForAdministrators(String line, String pointer) {
    isForAdministrators(line + "\ntrainingService: {platform: local}\n", pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "kubeconfig: SECRET/key; kubeconfig",
        "context: other; context",
        "namespace: kube-system; namespace",
        "cluster: kube, namespace: kube-system; namespace",
        "serviceAccountName: admin; serviceAccountName",
        "podTemplate: {spec: {hostNetwork: true}}; podTemplate",
        "privateRegistryAuthPath: SECRET/key; privateRegistryAuthPath",
      })
  void clustersAndTemplatesOfPodsAreForAdministrators(String key, String name) {
    isForAdministrators(
        "trainingService: {platform: kubernetes, %s}\n".formatted(key), "/trainingService/" + name);
  }

  /** The namespace and the account of a pod say what it may ask of its cluster. */
  @ParameterizedTest
  @ValueSource(strings = {"kubernetes", "kubeflow", "frameworkcontroller", "adl"})
  void namespacesAndAccountsOfEachPlatformOfPodsAreForAdministrators(String platform) {
    String roles =
        switch (platform) {
          case "kubeflow" -> ", operator: tf-operator, worker: {replicas: 1}";
          case "frameworkcontroller" -> ", taskRoles: [{name: w, taskNumber: 1, command: c}]";
          default -> ", dockerImage: i";
        };
    for (String key : List.of("namespace", "serviceAccountName")) {
      String service = "{platform: %s, %s: other%s}".formatted(platform, key, roles);
      isForAdministrators("trainingService: " + service + "\n", "/trainingService/" + key);
      isForAdministrators(
          "trainingService: [{platform: local}, %s]\n".formatted(service),
          "/trainingService/1/" + key);
    }
  }

  /** A pod may read each Secret of its namespace, also those of other users. */
  @Test
  void secretsOfTheNamespaceAreForAdministrators() {
    isForAdministrators(
        "trainingService: {platform: adl, dockerImage: i, imagePullSecrets: [{name: other}]}\n",
        "/trainingService/imagePullSecrets");
    isForAdministrators(
        "trainingService: {platform: kubernetes, storage: {storageType: azureStorage,"
            + " azureAccount: account, azureShare: share, azureSecretName: other}}\n",
        "/trainingService/storage/azureSecretName");
  }

  @Test
  void aKeyOfTheServersUserIsForAdministrators() {
    isForAdministrators(
        "trainingService: {platform: remote, machineList: [{host: a, user: b, sshKeyFile: SECRET/key}]}\n",
        "/trainingService/machineList/0/sshKeyFile");
  }

  /** The server writes there with its own rights. */
  @Test
  void aMountOfTheServerIsForAdministrators() {
    isForAdministrators(
        "trainingService: {platform: remote, machineList: [{host: a, user: b, password: x}]}\n"
            + "sharedStorage: {storageType: NFS, localMountPoint: /usr/share,"
            + " remoteMountPoint: /mnt/r, nfsServer: 10.0.0.1, exportedDirectory: /x,"
            + " localMounted: usermount}\n",
        "/sharedStorage/localMountPoint");
  }
}
