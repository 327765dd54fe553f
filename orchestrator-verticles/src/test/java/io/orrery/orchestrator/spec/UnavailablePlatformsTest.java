package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files for platforms that trials cannot be run on are judged all the same. */
class UnavailablePlatformsTest extends SpecFixture {
  private static final String AML =
      """
      platform: aml
      subscriptionId: s
      resourceGroup: g
      workspaceName: w
      computeTarget: c\
      """;

  private List<Finding> findings(String text) {
    return read(text).findings();
  }

  private static String v3(String service) {
    return GOOD.replace("  platform: local", service.indent(2).stripTrailing());
  }

  private static String v1(String platform, String sections) {
    return """
    authorName: a
    experimentName: e
    trialConcurrency: 1
    trainingServicePlatform: %s
    searchSpacePath: space.json
    useAnnotation: false
    tuner: {builtinTunerName: TPE, classArgs: {optimize_mode: minimize}}
    %s
    """
        .formatted(platform, sections);
  }

  @Test
  void oneInOrderIsRefusedForThePlatformAlone() {
    assertThat(findings(v3(AML)))
        .extracting(Finding::pointer)
        .containsExactly("/trainingService/platform");
    assertThat(findings(v3(AML)).getFirst().message())
        .isEqualTo("platform is aml, which is not available: this version runs trials on: local");
  }

  @Test
  void everythingElseThatIsWrongIsNamedWithItsPath() {
    assertThat(findings(v3(AML.replace("subscriptionId: s", "maxTrialNumberPerGpu: 0"))))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/trainingService/platform",
            "/trainingService/subscriptionId",
            "/trainingService/maxTrialNumberPerGpu");
    assertThat(findings(v3("platform: dlts\ndashboard: http://d/\nimage: x")))
        .extracting(Finding::pointer)
        .contains("/trainingService/image", "/trainingService/dockerImage");
    assertThat(findings(v3("platform: dlc\npodCount: none")))
        .extracting(Finding::pointer)
        .contains("/trainingService/podCount", "/trainingService/accessKeySecret");
  }

  @Test
  void severalAtOnceAreReadOneByOne() {
    String several =
        """
        - platform: local
          gpuIndices: [-1]
        - platform: aml
        - platform: kubeflow\
        """;
    assertThat(findings(GOOD.replace("  platform: local\n", several.indent(2))))
        .extracting(Finding::pointer)
        .contains(
            "/trainingService",
            "/trainingService/0/gpuIndices/0",
            "/trainingService/1/subscriptionId",
            "/trainingService/2/platform");
  }

  @Test
  void anOlderFileIsJudgedInItsOwnTerms() {
    String aml =
        v1(
            "aml",
            """
            trial: {command: python3 trial.py, codeDir: code, image: i}
            amlConfig: {subscriptionId: s, resourceGroup: g, workspaceNam: w, computeTarget: c}\
            """);
    assertThat(findings(aml))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/trainingServicePlatform", "/amlConfig/workspaceNam", "/amlConfig/workspaceName");

    String dlts =
        v1("dlts", "trial: {command: x, codeDir: code, gpuNum: 1}\ndltsConfig: {team: t}");
    assertThat(findings(dlts))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/trainingServicePlatform", "/trial/image", "/dltsConfig/dashboard");

    String hybrid =
        v1(
            "hybrid",
            """
            trial: {command: x, codeDir: code}
            hybridConfig: {trainingServicePlatforms: [local, aml]}
            amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w}\
            """);
    assertThat(findings(hybrid)).extracting(Finding::pointer).contains("/amlConfig/computeTarget");
  }
}
