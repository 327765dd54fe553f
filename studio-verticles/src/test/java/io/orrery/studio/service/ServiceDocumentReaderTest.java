package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Amount;
import io.orrery.studio.rollout.RolloutPolicy;
import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The document of a service and everything that can be wrong with it. */
class ServiceDocumentReaderTest {
  private static final ServiceName HELLO = new ServiceName("hello");

  private static ServiceDocument read(String text) {
    return ServiceDocumentReader.read(HELLO, text).document();
  }

  private static List<String> findings(String text) {
    try {
      read(text);
      return List.of();
    } catch (ProblemException e) {
      return ((Problem.Refused) e.problem()).findings().stream().map(Finding::text).toList();
    }
  }

  @Test
  void everythingMayBeWrittenAsTheOriginalWritesIt() {
    ServiceDocument document =
        read(
            """
            {"kind": "Service", "name": "hello", "type": "serving", "title": "Hello",
             "command": "serve $PORT", "env": "A=1\\nB = two words ", "ports": "80，8080",
             "health": "8080:/healthz", "stage": "test", "replicas": {"min": 0, "max": 4},
             "resources": {"cpu": "0.5~2", "memory": "512M-2G", "gpu": "1(V100)"},
             "startup": {"deadline": "90s"}, "grace": "5s", "host": "h.service.orrery.localhost",
             "canary": "other:20%", "timeout": {"total": "3s"}}
            """);

    assertThat(document.command()).containsExactly("/bin/sh", "-c", "serve $PORT");
    assertThat(document.environment()).isEqualTo(Map.of("A", "1", "B", "two words"));
    assertThat(document.ports()).containsExactly(80, 8080);
    assertThat(document.health()).isEqualTo(new ServiceDocument.Health(8080, "/healthz"));
    assertThat(document.stage()).isEqualTo(ServiceStage.TEST);
    assertThat(document.least()).isZero();
    assertThat(document.most()).isEqualTo(4);
    assertThat(document.resources().cpu()).isEqualTo(new Amount(500, 2_000));
    assertThat(document.resources().memory()).isEqualTo(new Amount(512L << 20, 2L << 30));
    assertThat(document.resources().gpus()).isEqualTo(1);
    assertThat(document.startup()).isEqualTo(Duration.ofSeconds(90));
    assertThat(document.grace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(document.route().toString()).contains("\"split\":\"other:20%\"").contains("timeout");
  }

  @Test
  void aShortDocumentHasDefaults() {
    ServiceDocument document = read("{\"command\": [\"serve\", \"--fast\"], \"ports\": [8080]}");

    assertThat(document.command()).containsExactly("serve", "--fast");
    assertThat(document.stage()).isEqualTo(ServiceStage.PRODUCTION);
    assertThat(document.least()).isEqualTo(1);
    assertThat(document.scaling()).isNull();
    assertThat(document.rollout()).isEqualTo(RolloutPolicy.AT_ONCE);
    assertThat(read("{\"image\": \"x\", \"stage\": \"none\"}").stage()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /command: a service needs a command or an image",
        "{\"command\":\"x\",\"name\":\"other\"} | /name: the name is hello in the address",
        "{\"command\":\"x\",\"kind\":\"Project\"} | /kind: the kind is Service here",
        "{\"command\":[]} | /command: command is a text for the shell, or a list of texts",
        "{\"command\":\"x\",\"env\":{\"A-B\":1}} | /env: 'A-B' is no name of a variable",
        "{\"command\":\"x\",\"env\":{\"ORRERY_HOME\":1}} | /env: ORRERY_HOME is set by the server",
        "{\"command\":\"x\",\"env\":\"nothing\"} | /env: each line of env is NAME=value",
        "{\"command\":\"x\",\"ports\":[80,80]} | /ports: port 80 is there twice",
        "{\"command\":\"x\",\"ports\":[]} | /ports: ports is a list such as",
        "{\"command\":\"x\",\"ports\":[80],\"health\":\"/x\"} | /health: health is a port and a path",
        "{\"command\":\"x\",\"replicas\":-1} | /replicas: replicas is a whole number from 0 to 1,000",
        "{\"command\":\"x\",\"resources\":{\"cpu\":\"2~1\"}} | /resources/cpu: cpu is cores such as",
        "{\"command\":\"x\",\"resources\":{\"memory\":\"2T\"}} | /resources/memory: memory is memory",
        "{\"command\":\"x\",\"resources\":{\"gpu\":\"-1\"}} | /resources/gpu: gpu is a number of GPUs",
        "{\"command\":\"x\",\"startup\":{\"deadline\":\"soon\"}} | /startup/deadline: deadline is a",
        "{\"command\":\"x\",\"code\":\"./here\"} | /code: code is a directory beside the file",
        "{\"command\":\"x\",\"stage\":\"prod\"} | /stage: stage is one of production",
        "{\"command\":\"x\",\"scale\":\"speed:3\"} | /scale: scale is one or more of rps:100",
        "{\"command\":\"x\",\"config\":{\"../a\":\"\"}} | /config: a file of config has a relative path",
        "{\"command\":\"x\",\"config\":{\"a\":{}}} | /config: the content of a is a text",
        "{\"command\":\"x\",\"config\":{\"a\":\"\",\"a/b\":\"\"}} | /config: a is a file and a directory",
        "{\"command\":\"x\",\"config\":\"a: b\"} | /config: config is an object of texts by file",
        "{\"command\":\"x\",\"scale\":\"metric:q:1\"} | /scale: metric:q:1 is read from the service",
        "{\"command\":\"x\",\"metrics\":\"80:/m\",\"scale\":\"metric:q:0\"} | /scale: a replica is to",
        "{\"command\":\"x\",\"metrics\":\"80:/m\",\"scale\":\"metric:cpu:1\"} | /scale: metric:cpu:1 has",
        "{\"command\":\"x\",\"scale\":\"cpu:0%\"} | /scale: a share is 1% or more, not 'cpu:0%'",
        "{\"command\":\"x\",\"metrics\":\"99999:/m\"} | /metrics: metrics is a port and a path",
        "{\"command\":\"x\",\"scale\":{\"schedule\":\"9~21\"}} | /scale/schedule: a time of the",
        "{\"command\":\"x\",\"rollout\":{\"steps\":[50,20,100]}} | /rollout/steps: steps is a list",
        "{\"command\":\"x\",\"rollout\":{\"steps\":[50]}} | /rollout/steps: steps is a list",
        "{\"command\":\"x\",\"rollout\":{\"gates\":{\"errors\":\"few\"}}} | /rollout/gates/errors: errors",
        "{\"command\":\"x\",\"rollout\":{\"gates\":{\"p99\":\"<1.2\"}}} | /rollout/gates/p99: p99 is <1.2x",
        "{\"command\":\"x\",\"type\":\"serving\",\"model\":{\"name\":\"m\",\"version\":\"v1\"}}"
            + " | /name: a service of this type, model and version is called serving-m-1, not hello",
        "{\"command\":\"x\",\"model\":{\"name\":\"M!\"}} | /model/name: name is a model of the registry",
        "{\"command\":\"x\",\"model\":{\"name\":\"M\",\"path\":\"/m\"}} | /model/name: the name of a model",
        "{\"command\":\"x\",\"model\":{\"name\":\"m\"}} | /model/version: a model of the registry has",
        "{\"command\":\"x\",\"model\":{\"name\":\"m\",\"alias\":\"v1\"}} | /model/alias: ",
        "{\"command\":\"x\",\"model\":{\"name\":\"m\",\"alias\":\"a\",\"version\":\"1\"}}"
            + " | /model/alias: a model has a version or an alias, not both",
        "{\"command\":\"x\",\"model\":{\"name\":\"m\",\"alias\":\"a\",\"path\":\"/m\"}}"
            + " | /model/path: an alias names files of the registry",
        "{\"command\":\"x\",\"metrics\":\"metrics\"} | /metrics: metrics is a port and a path",
        "{\"command\":\"x\",\"volume_mount\":\"a(tape):/x\"} | /volume_mount: at character"
      })
  void eachFaultIsAFindingAtItsPlace(String text, String finding) {
    assertThat(findings(text)).anyMatch(found -> found.startsWith(finding.strip()));
  }

  @Test
  void aServiceOfAModelHasTheNameOfItsVersionAndTheDefaultsOfItsType() {
    ServiceDocument document =
        ServiceDocumentReader.read(
                new ServiceName("tfserving-mnist-202208011"),
                """
                {"type": "tfserving", "image": "tf", "env": {"M": "$model_name at $model_version"},
                 "model": {"name": "mnist", "version": "v2022.08.01.1", "path": "/models/mnist"}}
                """)
            .document();

    assertThat(document.ports()).containsExactly(8501);
    assertThat(document.health())
        .isEqualTo(
            new ServiceDocument.Health(8501, "/v1/models/mnist/versions/202208011/metadata"));
    assertThat(document.environment())
        .containsEntry("TF_CPP_VMODULE", "http_server=1")
        .containsEntry("M", "mnist at v2022.08.01.1");
  }

  @Test
  void scalingIsReadAsTheOriginalWritesIt() {
    assertThat(
            read("{\"command\":\"x\",\"replicas\":{\"min\":1,\"max\":4},"
                    + "\"scale\":\"rps:100;concurrency=8,mem:%50,cpu:50%\"}")
                .scaling())
        .isEqualTo(
            new ScalePolicy(
                1,
                4,
                List.of(new Target(Measure.RPS, 100), new Target(Measure.CONCURRENCY, 8)),
                List.of()));
    assertThat(read("{\"command\":\"x\",\"scale\":{\"schedule\":\"9~21:1,21~9:0\"}}").scaling())
        .isEqualTo(
            new ScalePolicy(
                1,
                1,
                List.of(),
                List.of(
                    new Hours(LocalTime.of(9, 0), LocalTime.of(21, 0), 1),
                    new Hours(LocalTime.of(21, 0), LocalTime.of(9, 0), 0))));
    assertThat(read("{\"command\":\"x\",\"replicas\":{\"min\":0,\"max\":1}}").scaling())
        .isEqualTo(new ScalePolicy(0, 1, List.of(), List.of()));
  }

  @Test
  void sharesAreOfWhatTheDocumentAsksFor() {
    ServiceDocument document =
        read(
            "{\"command\":\"x\",\"replicas\":{\"min\":1,\"max\":4},\"resources\":{\"cpu\":\"0.5~2\","
                + "\"memory\":\"1G\",\"gpu\":1},\"scale\":\"cpu:50%,mem:%25,gpu=80%\"}");

    assertThat(Objects.requireNonNull(document.scaling()).targets())
        .containsExactly(
            new Target(Measure.CPU, 0.25),
            new Target(Measure.MEMORY, 1 << 28),
            new Target(Measure.GPU, 0.8));
  }

  @Test
  void metricsAreReadAtTheirPortWhichIsOneOfTheService() {
    ServiceDocument document =
        read(
            "{\"command\":\"x\",\"ports\":[80],\"metrics\":\"9090:/m\","
                + "\"replicas\":{\"min\":1,\"max\":4},\"scale\":\"metric:queue_length:2.5,rps:9\"}");

    assertThat(document.ports()).containsExactly(80, 9090);
    assertThat(document.scaling())
        .isEqualTo(
            new ScalePolicy(
                1,
                4,
                List.of(
                    new Target(Measure.METRIC, 2.5, "queue_length"), new Target(Measure.RPS, 9)),
                List.of(),
                new ScalePolicy.MetricsEndpoint("http1", "/m")));
    assertThat(read("{\"command\":\"x\",\"ports\":[80],\"metrics\":\"9090:/m\"}").ports())
        .containsExactly(80);
  }

  @Test
  void filesAreAnObjectOrTheTextOfTheOriginal() {
    assertThat(read("{\"command\":\"x\",\"config\":{\"a.conf\":\"1\",\"b/c\":\"\"}}").files())
        .isEqualTo(Map.of("a.conf", "1", "b/c", ""));
    assertThat(
            read("{\"command\":\"x\",\"config\":\"---a.conf\\nx: 1\\n\\n--- b.conf\\ny\\n\"}")
                .files())
        .isEqualTo(Map.of("a.conf", "x: 1\n\n", "b.conf", "y\n\n"));
  }

  @Test
  void aRolloutHasStepsGatesAndATimeToKeepWarm() {
    assertThat(
            read("""
            {"command": "x", "rollout": {"steps": [10, 100], "every": "90s", "keepWarm": "5m",
             "gates": {"errors": "<0.5%", "p99": "<1.2x", "p50": "< 40ms", "requests": 7}}}
            """)
                .rollout())
        .isEqualTo(
            new RolloutPolicy(
                List.of(10, 100),
                Duration.ofSeconds(90),
                0.005,
                new LatencyGate(40, false),
                new LatencyGate(1.2, true),
                7,
                Duration.ofMinutes(5)));
  }

  @Test
  void allFaultsAreFoundAtOnce() {
    assertThat(findings("{\"comand\":\"x\",\"ports\":[0],\"replicas\":\"many\",\"grace\":\"0s\"}"))
        .hasSizeGreaterThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "3", "\"x\""})
  void aDocumentIsAnObject(String text) {
    assertThatThrownBy(() -> read(text)).hasMessageContaining("is an object");
  }

  @Test
  void theRateMayStandByItself() {
    assertThat(read("{\"command\": \"x\", \"rate\": \"100/second\"}").route())
        .hasToString("{\"limits\":{\"rate\":\"100/second\"}}");
    assertThat(
            read("{\"command\": \"x\", \"rate\": \"9/second\", \"limits\": {\"pending\": 1}}")
                .route())
        .hasToString("{\"limits\":{\"pending\":1,\"rate\":\"9/second\"}}");
    assertThat(
            findings(
                "{\"command\": \"x\", \"rate\": \"1/second\", \"limits\": {\"rate\": \"2/second\"}}"))
        .singleElement()
        .asString()
        .contains("/rate");
  }
}
