package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.service.ServiceDocumentReader.Reading;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The faults of the original's inference services that services do not have. Each of its traps, and
 * the test that holds it:
 *
 * <ul>
 *   <li>a start command is a shell line of user text: {@link
 *       #aPathOfAModelIsNoPartOfAShellsCommand}
 *   <li>{@code shell:} of health fails: {@link #healthByACommandIsRefusedWithWhatWouldBeRight}
 *   <li>readiness is looked at once a minute: {@link #readinessIsLookedAtWithinASecond}
 *   <li>stages share the object with the external ports: {@link
 *       #aStageHasObjectsAndARouteOfItsOwn}, and {@code ServiceObjectBodyTest} for their names on a
 *       cluster, where a production service may be called as the debug stage of another one: that
 *       object stays, and a reason says so
 *   <li>a deployment throws away what the scaling had reached: {@code
 *       ServiceContract.aRestartKeepsTheNumberOfReplicasAndADeploymentAsFarAsTheDocumentLetsIt}
 *   <li>a term of a GPU breaks the autoscaler: {@link
 *       #aShareOfGpusOfAServiceWithoutOneIsLeftOutAndSaidSo}
 *   <li>100 % is ignored, and shadows have no hyphen: {@link
 *       #canariesAndShadowsAreTakenAsTheyAreWritten}
 *   <li>destinations use the owner's port: {@link #aCanaryNamesServicesAndNoPorts}, and {@code
 *       TrafficIT.aSplitIsAsExactAsChanceAllowsAndEveryRequestIsCounted}, whose targets have
 *       different ports
 *   <li>a term without {@code :} leaves no route, and names are not checked: {@code
 *       RouteReaderTest} and {@code DomainContract.aCanaryNamesServicesThatAreThereAndLeads…}
 *   <li>the way of a takeover by steps needs an empty host: {@code
 *       RolloutJourneyIT.aNewServiceTakesOverAHostByStepsWithoutALostRequestAndTheOldOneIs…}
 *   <li>the version of the model is misspelt: {@link
 *       #theCommandHasTheNameTheVersionAndThePathOfTheModel}
 * </ul>
 */
class SeedTrapsTest {
  private static final ServiceName HELLO = new ServiceName("hello");

  private static Reading read(String text) {
    return ServiceDocumentReader.read(HELLO, text);
  }

  private static WorkloadSpec frozen(String text, ServiceStage stage) {
    return frozen(HELLO, text, stage, ProjectSettings.NONE);
  }

  private static WorkloadSpec frozen(
      ServiceName name, String text, ServiceStage stage, ProjectSettings project) {
    ServiceRow row =
        new ServiceRow(name, ProjectName.PUBLIC, "ann", text, Instant.EPOCH, Instant.EPOCH, 1, 1);
    ServiceDocument document = ServiceDocumentReader.read(name, text).document();
    return ServiceFreezer.freeze(row, document, project, stage, 1, 1, List.of(), List.of()).spec();
  }

  /** There the variable of the version was misspelt, so that commands kept it. */
  @Test
  void theCommandHasTheNameTheVersionAndThePathOfTheModel() {
    ServiceDocument document =
        ServiceDocumentReader.read(
                new ServiceName("serving-digits-2"),
                """
                {"type": "serving", "command": "serve $model_name $model_version $model_path",
                 "model": {"name": "digits", "version": "v2", "path": "/models/digits"}}
                """)
            .document();

    assertThat(document.command())
        .containsExactly("/bin/sh", "-c", "serve digits v2 /models/digits");
  }

  @Test
  void aReplicaOfAModelSeesTheAreaOfItsProject() {
    ServiceName name = new ServiceName("serving-digits-2");
    String text =
        """
        {"type": "serving", "command": "x", "model": {"name": "digits", "version": "v2"}}
        """;
    ProjectSettings north = ProjectSettings.read("{\"area\": \"north\"}").orThrow();

    assertThat(frozen(name, text, ServiceStage.PRODUCTION, north).environment())
        .containsEntry("KUBEFLOW_AREA", "north");
    assertThat(frozen(name, text, ServiceStage.TEST, ProjectSettings.NONE).environment())
        .containsEntry("KUBEFLOW_AREA", "");
  }

  /** There the start command was a shell line built from the texts of users. */
  @Test
  void aPathOfAModelIsNoPartOfAShellsCommand() {
    String text =
        """
        {"type": "serving", "command": %s,
         "model": {"name": "digits", "version": "v2", "path": "/models/a; touch /tmp/b"}}
        """;
    ServiceName name = new ServiceName("serving-digits-2");

    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () -> ServiceDocumentReader.read(name, text.formatted("\"serve '$model_path'\"")));

    assertThat(((Problem.Refused) refused.problem()).findings())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.text()).contains("/command", "\"$KUBEFLOW_MODEL_PATH\""));
    String script = "\"x\", \"config\": {\"start.sh\": \"serve $model_path\"}";
    assertThat(
            catchThrowableOfType(
                    ProblemException.class,
                    () -> ServiceDocumentReader.read(name, text.formatted(script)))
                .problem()
                .toString())
        .contains("start.sh", "in the file");
    assertThat(
            ServiceDocumentReader.read(name, text.formatted("[\"serve\", \"$model_path\"]"))
                .document()
                .command())
        .containsExactly("serve", "/models/a; touch /tmp/b");
    assertThat(
            ServiceDocumentReader.read(
                    name, text.formatted("\"serve \\\"$KUBEFLOW_MODEL_PATH\\\"\""))
                .document()
                .command())
        .containsExactly("/bin/sh", "-c", "serve \"$KUBEFLOW_MODEL_PATH\"");
  }

  /** There a form of health that runs a command never worked, and no message said so. */
  @Test
  void healthByACommandIsRefusedWithWhatWouldBeRight() {
    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () -> read("{\"command\":\"x\",\"ports\":[80],\"health\":\"shell:test -e /ready\"}"));

    assertThat(((Problem.Refused) refused.problem()).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("/health", "8080:/"));
  }

  /** There the first look came after a minute, and one failure took a pod out for another one. */
  @Test
  void readinessIsLookedAtWithinASecond() {
    Probe probe =
        Objects.requireNonNull(
            frozen(
                    "{\"command\":\"x\",\"ports\":[80],\"health\":\"80:/healthz\"}",
                    ServiceStage.PRODUCTION)
                .readiness());

    assertThat(probe.interval()).isLessThan(Duration.ofSeconds(1));
  }

  /** There a term of a GPU made the whole autoscaler fail. */
  @Test
  void aShareOfGpusOfAServiceWithoutOneIsLeftOutAndSaidSo() {
    String text =
        """
        {"command": "x", "replicas": {"min": 1, "max": 4}, "resources": {"cpu": "2"},
         "scale": "cpu:50%,gpu:50%"}
        """;

    assertThat(read(text).notices())
        .singleElement()
        .asString()
        .contains("gpu:50%", "resources.gpu, which is not given");
    assertThat(frozen(text, ServiceStage.PRODUCTION).scaling())
        .isEqualTo(new UseScaling(1, 4, Map.of("cpu", 1.0)));
  }

  @Test
  void onlyProductionScalesAndOnlyWithinARange() {
    String text =
        """
        {"command": "x", "replicas": {"min": %d, "max": 4}, "resources": {"gpu": 2},
         "scale": "gpu:50%%"}
        """;

    assertThat(frozen(text.formatted(2), ServiceStage.PRODUCTION).scaling())
        .isEqualTo(new UseScaling(2, 4, Map.of("gpu", 1.0)));
    assertThat(frozen(text.formatted(2), ServiceStage.TEST).scaling()).isNull();
    assertThat(frozen(text.formatted(4), ServiceStage.PRODUCTION).scaling()).isNull();
  }

  /** There names had no hyphen in shadows, only the first one counted, and 100 % was ignored. */
  @Test
  void canariesAndShadowsAreTakenAsTheyAreWritten() {
    ServiceDocument document =
        read("{\"command\":\"x\",\"ports\":[80],\"canary\":\"b-2:100%\","
                + "\"shadow\":\"b-3:20%;b-4:100%\"}")
            .document();

    assertThat(document.route().path("split").asText()).isEqualTo("b-2:100%");
    assertThat(document.route().path("mirror").asText()).isEqualTo("b-3:20%;b-4:100%");
  }

  /** There every destination was asked at the first port of the service that carried the text. */
  @Test
  void aCanaryNamesServicesAndNoPorts() {
    JsonNode route =
        Json.parse(
            route(
                "{\"command\":\"x\",\"ports\":[8080],\"canary\":\"b-2:20%\",\"shadow\":\"b-3:5%\"}",
                ServiceStage.PRODUCTION));

    assertThat(route.path("split").asText()).isEqualTo("b-2:20%");
    assertThat(route.path("mirror").asText()).isEqualTo("b-3:5%");
    assertThat(route.toString()).doesNotContain("8080");
  }

  /** There a debug or test deploy took the external address, and the canary, of production. */
  @Test
  void aStageHasObjectsAndARouteOfItsOwn() {
    String text = "{\"command\":\"x\",\"ports\":[80],\"canary\":\"b-2:20%\",\"shadow\":\"b-3:5%\"}";

    assertThat(Stream.of(ServiceStage.values()).map(stage -> stage.workload(HELLO)))
        .doesNotHaveDuplicates()
        .doesNotContain(ServiceStage.PRODUCTION.workload(new ServiceName("debug-hello")));
    for (ServiceStage stage : List.of(ServiceStage.TEST, ServiceStage.DEBUG)) {
      assertThat(route(text, stage)).contains(stage.word()).doesNotContain("b-2", "b-3");
    }
  }

  /** As there, debug is a shell in the image; its program is a variable, and starts by hand. */
  @Test
  void theDebugStageDoesNothingAndShowsTheCommand() {
    WorkloadSpec spec =
        frozen(
            "{\"command\":[\"serve\",\"it's\",\"--all\"],\"ports\":[80],\"health\":\"80:/ok\"}",
            ServiceStage.DEBUG);

    assertThat(spec.command()).containsExactlyElementsOf(DebugCommand.words());
    assertThat(spec.environment()).containsEntry("ORRERY_COMMAND", "serve 'it'\\''s' --all");
    assertThat(spec.readiness()).isNull();
    assertThat(frozen("{\"command\":\"a && b\",\"ports\":[80]}", ServiceStage.DEBUG).environment())
        .containsEntry("ORRERY_COMMAND", "a && b");
    assertThat(frozen("{\"command\":\"a && b\",\"ports\":[80]}", ServiceStage.TEST).environment())
        .doesNotContainKey("ORRERY_COMMAND");
  }

  private static String route(String text, ServiceStage stage) {
    ServiceRow row =
        new ServiceRow(HELLO, ProjectName.PUBLIC, "ann", text, Instant.EPOCH, Instant.EPOCH, 1, 1);
    return String.valueOf(
        ServiceFreezer.freeze(
                row, read(text).document(), ProjectSettings.NONE, stage, 1, 1, List.of(), List.of())
            .route());
  }
}
