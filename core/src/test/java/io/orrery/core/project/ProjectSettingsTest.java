package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectSettingsTest {
  private static final String ALL =
      """
      {
        "volume_mount": "kubeflow-user-workspace(pvc):/mnt/,data(hostpath):/data",
        "cluster": " dev ",
        "SERVICE_EXTERNAL_IP": ["10.0.0.7|gpu.example.com", "2001:DB8::7"],
        "node_selector": "zone=north\\norg=b,a",
        "org": "a,b",
        "area": "华南（广州）",
        "index": 1.5,
        "help_url": "https://example.com/help",
        "TKE_EXISTED_LBID": "lb-1|203.0.113.9",
        "mine": {"z": [1, null], "a": 12345678901234567890}
      }
      """;

  private static final String CANONICAL =
      """
      {"SERVICE_EXTERNAL_IP":["10.0.0.7|gpu.example.com","2001:db8::7"],\
      "TKE_EXISTED_LBID":"lb-1|203.0.113.9","area":"华南（广州）","cluster":"dev",\
      "help_url":"https://example.com/help","index":1.5,\
      "mine":{"a":12345678901234567890,"z":[1,null]},"node_selector":"zone=north;org=b,a",\
      "org":"a,b","volume_mount":"kubeflow-user-workspace(pvc):/mnt;/data(hostpath):/data"}\
      """;

  private static ProjectSettings settings(String text) {
    ProjectSettings.Reading reading = ProjectSettings.read(text);
    assertThat(reading.findings()).as(text).isEmpty();
    return reading.settings();
  }

  private static List<Finding> findings(String text) {
    return ProjectSettings.read(text).findings();
  }

  @Test
  void everyKeyIsReadIntoItsType() {
    ProjectSettings settings = settings(ALL);
    assertThat(settings.cluster()).isEqualTo("dev");
    assertThat(settings.nodeSelector().text()).isEqualTo("zone=north;org=b,a");
    assertThat(settings.orgs()).containsExactly("a", "b");
    assertThat(settings.mounts().mounts()).hasSize(2);
    assertThat(settings.externalAddresses())
        .containsExactly(
            new ExternalAddress("10.0.0.7", "gpu.example.com"),
            new ExternalAddress("2001:db8::7", "2001:db8::7"));
    assertThat(settings.area()).isEqualTo("华南（广州）");
    assertThat(settings.others())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "index", "1.5",
                "help_url", "\"https://example.com/help\"",
                "TKE_EXISTED_LBID", "\"lb-1|203.0.113.9\"",
                "mine", "{\"a\":12345678901234567890,\"z\":[1,null]}"));
  }

  @Test
  void settingsHaveOneCanonicalText() {
    assertThat(settings(ALL).text()).isEqualTo(CANONICAL);
    assertThat(settings(CANONICAL)).isEqualTo(settings(ALL));
  }

  @Test
  void nullAndBlankValuesAreDropped() {
    String text =
        """
        {"cluster": null, "org": "", "volume_mount": " ", "node_selector": "\\n", "area": "",
         "SERVICE_EXTERNAL_IP": [], "index": null, "help_url": "", "mine": null}
        """;
    assertThat(settings(text)).isEqualTo(ProjectSettings.NONE);
    assertThat(settings(text).text()).isEqualTo("{}");
    assertThat(settings(" ")).isEqualTo(ProjectSettings.NONE);
    assertThat(ProjectSettings.read(text).notices()).isEmpty();
  }

  @Test
  void anUnknownKeyIsKeptAndNoticedWithTheNearest() {
    ProjectSettings.Reading reading =
        ProjectSettings.read("{\n \"volume_mounts\": \"a(pvc):/a\",\n \"x/y\": [{}]\n}");
    assertThat(reading.orThrow().text())
        .isEqualTo("{\"volume_mounts\":\"a(pvc):/a\",\"x/y\":[{}]}");
    assertThat(reading.notices())
        .containsExactly(
            new Finding(
                "/volume_mounts",
                "is not a setting of a project (did you mean 'volume_mount'?); it is kept and has no"
                    + " effect",
                2),
            new Finding("/x~1y", "is not a setting of a project; it is kept and has no effect", 3));
  }

  @Test
  void allFindingsComeAtOnceWithPointerPlaceAndLine() {
    String text =
        """
        {
          "volume_mount": "a(pvc):/a;b(nfs):/b;c(secret):/c",
          "node_selector": "a=1;b",
          "SERVICE_EXTERNAL_IP": ["10.0.0.7", "10.0.0.8|", 5],
          "cluster": 5,
          "org": "a,,b",
          "index": "1",
          "help_url": "javascript:alert(1)"
        }
        """;
    assertThat(findings(text))
        .extracting(f -> f.line() + " " + f.pointer() + " " + f.message().split("[:;,]")[0])
        .containsExactly(
            "2 /volume_mount at character 13",
            "2 /volume_mount at character 23",
            "3 /node_selector at character 5",
            "4 /SERVICE_EXTERNAL_IP/1 at character 10",
            "4 /SERVICE_EXTERNAL_IP/2 must be text",
            "5 /cluster must be text",
            "6 /org at character 3",
            "7 /index must be a finite number",
            "8 /help_url must be an http or https URL without a user");
    assertThatThrownBy(() -> ProjectSettings.read(text).orThrow())
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(((Problem.Refused) e.problem()).findings()).hasSize(9));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "[] > are a JSON object",
        "5 > are a JSON object",
        "{cluster: dev} > not JSON",
        "{\"cluster\": \"dev\" > not JSON",
        "{\"org\": \"a\", \"org\": \"a\"} > this key is here twice",
        "{\"org\": \"a\", \"node_selector\": \"org=b\"} > set one of the two",
        "{\"org\": \"a\", \"node_selector\": \"org=a,b\"} > set one of the two",
        "{\"node_selector\": {\"org\": \"a\"}} > must be text",
        "{\"volume_mount\": [\"a(pvc):/a\"]} > must be text",
        "{\"cluster\": \"a b\"} > a name such as dev",
        "{\"area\": \"a\\u0000\"} > visible characters",
        "{\"index\": NaN} > finite number",
        "{\"mine\": [1, {\"a\": 1e999}]} > finite number",
        "{\"mine\": \"\\ud83d\"} > surrogate",
        "{\"\\ud83d\": 1} > surrogate",
        "{\"help_url\": \"ftp://a\"} > an http or https URL",
        "{\"help_url\": \"http://ann:secret@a\"} > without a user",
        "{\"help_url\": \"http://a/\\ud83d\"} > without a user",
        "{\"TKE_EXISTED_LBID\": \"a b\"} > id of a load balancer",
        "{\"SERVICE_EXTERNAL_IP\": [\"10.0.0.7|a\", \"10.0.0.7\"]} > another outer address",
      })
  void aFaultIsRefusedWithTheRemedy(String text, String words) {
    assertThat(findings(text))
        .as(text)
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .contains(words);
  }

  @ParameterizedTest
  @ValueSource(ints = {19, 20, 150, 250, 20_000})
  void deepNestingIsRefused(int levels) {
    String text = "{\"a\":" + "[".repeat(levels) + "]".repeat(levels) + "}";
    assertThat(findings(text)).hasSize(levels < ProjectSettings.MOST_DEPTH ? 0 : 1);
  }

  @Test
  void aTextBeyondTheLimitsIsRefusedOnce() {
    String most = "{\"a\":\"" + "x".repeat(ProjectSettings.MOST_CHARACTERS - 8) + "\"}";
    assertThat(settings(most).text()).hasSize(ProjectSettings.MOST_CHARACTERS);
    assertThat(findings(most + " ")).extracting(Finding::message).asString().contains("50,001");
    assertThat(findings("{\"" + "k".repeat(201) + "\": 1}")).hasSize(1);
    String grows = "{\"a\":[" + "1e9,".repeat(12_400) + "1]}";
    assertThat(findings(grows)).extracting(Finding::message).asString().contains("50,000");
  }

  @Test
  void manyFindingsAndNoticesAreCut() {
    String keys =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"k" + i + "\":1e999")
            .collect(Collectors.joining(","));
    assertThat(findings("{" + keys + "}")).hasSize(201);
    assertThat(ProjectSettings.read("{" + keys.replace("1e999", "1") + "}").notices()).hasSize(201);
    assertThat(findings("{" + "\"k\":1,".repeat(1_000) + "\"k\":1}")).hasSize(201);
  }

  @Test
  void settingsWithinADocumentHaveItsPointers() {
    ProjectSettings.Reading reading =
        ProjectSettings.read(Json.parse("{\"volume_mount\": \"a\", \"b\": 1}"), "/settings");
    assertThat(reading.findings())
        .extracting(Finding::pointer)
        .containsExactly("/settings/volume_mount");
    assertThat(reading.notices()).extracting(Finding::pointer).containsExactly("/settings/b");
  }

  @Test
  void aWorkloadGetsTheMountsAndNodesOfTheProject() {
    ProjectSettings settings = settings("{\"org\": \"a,b\", \"node_selector\": \"zone=n\"}");
    assertThat(settings.effectiveMounts().text())
        .isEqualTo("kubeflow-user-workspace(pvc):/mnt;kubeflow-archives(pvc):/archives");
    NodePlacement placement = settings.placement(WorkloadRole.TRAIN, 1, "t4");
    assertThat(placement.nodeSelector())
        .isEqualTo(Map.of("zone", "n", "gpu", "true", "train", "true", "gpu-type", "T4"));
    assertThat(placement.orgs()).containsExactly("a", "b");
  }

  @Test
  void readingTheTextOfSettingsGivesEqualSettings() {
    RandomText random = new RandomText(1_4);
    int right = 0;
    for (int i = 0; i < 2_000; i++) {
      ObjectNode json = Json.MAPPER.createObjectNode();
      for (int n = random.below(5); n > 0; n--) {
        switch (random.below(7)) {
          case 0 -> json.put("cluster", random.of(List.of("dev", "", "a b")));
          case 1 -> json.put("volume_mount", random.slip("a(pvc):/mnt;b:/b;4G(memory):/dev/shm"));
          case 2 -> json.put("node_selector", random.slip("org=a,b;zone=n;x.y/z="));
          case 3 -> json.put("org", random.of(List.of("a,b", "b,a", "public", "")));
          case 4 -> {
            ArrayNode list = json.putArray("SERVICE_EXTERNAL_IP");
            list.add("10.0.0.7").add(random.slip("10.0.0.8|gpu.example.com"));
          }
          case 5 -> json.put("index", random.of(List.of(1.0, 1e300, -0.0, 5e-324)));
          default ->
              json.putObject(random.garbage()).put(random.garbage(), random.below(9)).putNull("n");
        }
      }
      String text = json.toString();
      ProjectSettings.Reading reading = ProjectSettings.read(text);
      if (reading.findings().isEmpty()) {
        right++;
        ProjectSettings settings = reading.settings();
        assertThat(settings(settings.text())).isEqualTo(settings);
        assertThat(settings(settings.text()).text()).isEqualTo(settings.text());
      }
    }
    assertThat(right).isBetween(200, 1_800);
  }

  @Test
  void anyTextIsReadOrRefused() {
    RandomText random = new RandomText(1_5);
    for (int i = 0; i < 2_000; i++) {
      String text = i % 2 == 0 ? random.garbage() : random.slip(ALL);
      for (Finding finding : findings(text)) {
        Integer line = finding.line();
        assertThat(line == null ? 1 : line).isBetween(1, (int) text.lines().count() + 1);
        assertThat(finding.message()).isNotBlank();
      }
    }
  }
}
