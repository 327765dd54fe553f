package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of the platforms {@code dlts}, {@code aml} and {@code dlc}. */
class CloudSpecTest extends SpecFixture {
  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of("local", "dlts", "aml", "dlc"),
            Map.of(),
            () -> SEED,
            secret -> "sealed:" + secret.length())
        .read(text, directory.toString());
  }

  private static String on(String service) {
    return with("platform: local\n", service.strip().replace("\n", "\n  ") + "\n");
  }

  private static final String DLTS =
      """
      platform: dlts
      dashboard: dlts.example.org/
      team: vision
      email: me@example.org
      password: hush
      dockerImage: python:3
      """;

  private static final String AML =
      """
      platform: aml
      subscriptionId: s
      resourceGroup: g
      workspaceName: w
      computeTarget: c
      """;

  private static final String DLC =
      """
      platform: dlc
      region: cn-hangzhou
      workspaceId: "268"
      accessKeyId: id
      accessKeySecret: hush
      image: i
      ecsSpec: e
      """;

  @Test
  void allThreeAreReadAndTheirSecretsSealed() {
    assertThat(spec(on(DLTS)).job().trainingService().settings().values())
        .containsEntry("dashboard", "https://dlts.example.org")
        .containsEntry("cluster", ".default")
        .containsEntry("password", "sealed:4");
    assertThat(spec(on(AML)).job().trainingService().settings().values())
        .containsEntry("dockerImage", "msranni/nni:latest");
    assertThat(spec(on(DLC)).job().trainingService().settings().values())
        .containsEntry("accessKeySecret", "sealed:4")
        .containsEntry("podCount", 1L)
        .containsEntry("jobType", "TFJob");
    assertThat(spec(on(DLC)).description().config()).doesNotContain("hush");
  }

  @ParameterizedTest
  @CsvSource({
    "dlts, dashboard",
    "dlts, dockerImage",
    "aml, subscriptionId",
    "aml, resourceGroup",
    "aml, workspaceName",
    "aml, computeTarget",
    "dlc, region",
    "dlc, workspaceId",
    "dlc, accessKeyId",
    "dlc, accessKeySecret",
    "dlc, image",
    "dlc, ecsSpec",
  })
  void whatIsRequiredIsMissed(String platform, String key) {
    String section =
        switch (platform) {
          case "dlts" -> DLTS;
          case "aml" -> AML;
          default -> DLC;
        };
    Finding fault = fault(on(section.replaceAll("(?m)^" + key + ":.*\n", "")));

    assertThat(fault.pointer()).isEqualTo("/trainingService/" + key);
    assertThat(fault.message()).contains("is missing");
  }

  @Test
  void aRegionThatIsNoneAndHalfAStorageAreRefused() {
    assertThat(fault(on(DLC.replace("cn-hangzhou", "a.example.org/"))).message())
        .contains("must be a region");
    assertThat(
            fault(on(DLC + "localStorageMountPoint: code\ncontainerStorageMountPoint: /mnt\n"))
                .pointer())
        .isEqualTo("/trainingService/nasDataSourceId");
  }

  @Test // D
  void aStorageThatIsMountedElsewhereIsTakenWithANotice() {
    String text =
        on(
            DLC
                + "nasDataSourceId: n\nlocalStorageMountPoint: /not/here\n"
                + "containerStorageMountPoint: /mnt\n");

    assertThat(spec(text).job().trainingService().settings().values())
        .containsEntry("localStorageMountPoint", "/not/here");
    assertThat(read(text).notices())
        .anyMatch(notice -> notice.startsWith("localStorageMountPoint: /not/here is no directory"));
  }

  @Test
  void theOlderFormMeansTheSame() {
    String older =
        """
        authorName: ada
        experimentName: older
        trialConcurrency: 1
        trainingServicePlatform: %s
        searchSpacePath: space.json
        tuner: {builtinTunerName: Random}
        trial: {command: python3 trial.py, codeDir: code, gpuNum: 1, image: i}
        %s
        """;

    assertThat(
            spec(older.formatted(
                    "dlts",
                    "dltsConfig: {dashboard: 'https://d/', team: t, email: e, password: hush}"))
                .job()
                .trainingService()
                .settings()
                .values())
        .containsEntry("dashboard", "https://d")
        .containsEntry("dockerImage", "i")
        .containsEntry("trialGpuNumber", 1L)
        .containsEntry("password", "sealed:4");
    assertThat(
            spec(older.formatted(
                    "aml",
                    "amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w,"
                        + " computeTarget: c}"))
                .job()
                .trainingService()
                .settings()
                .values())
        .containsEntry("computeTarget", "c")
        .containsEntry("dockerImage", "i");
  }
}
