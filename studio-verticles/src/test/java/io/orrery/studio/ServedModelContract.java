package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.digest.Sha256;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.ModelFiles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Services take their models from the registry alike on every store. */
abstract class ServedModelContract extends ServiceFixture {
  private static final ModelName DIGITS = new ModelName("digits");
  private static final ModelAlias PRODUCTION = new ModelAlias("production");
  private static final ProjectName SECRET = new ProjectName("secret");
  private static final String BY_ALIAS =
      "{\"command\":\"serve $model_path\",\"ports\":[8080],\"env\":{\"V\":\"$model_version\"},"
          + "\"model\":{\"name\":\"digits\",\"alias\":\"production\"}}";

  private Version register(ProjectName project, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String upload = Sha256.hex(text).substring(32);
    success(bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(upload, 0, bytes)));
    success(bus.request(Artifacts.COMMIT, new Artifacts.Commit(upload, bytes.length, null)));
    return success(
        bus.request(
            Models.REGISTER,
            new Models.RegisterVersion(
                ANN,
                DIGITS,
                project,
                true,
                null,
                null,
                List.of(new ArtifactFile("weights", Sha256.hex(text), bytes.length)),
                null,
                null,
                new About(ModelStage.NONE, "", "", "{}", "{}", Map.of()),
                List.of(PRODUCTION),
                false)));
  }

  private ModelFiles files() {
    return wanted("service/hello").spec().model();
  }

  private List<Finding> refused(String document) throws Exception {
    Problem problem = failure(bus.request(Services.PUT, document(document, true, null)));
    assertThat(problem).isInstanceOf(Problem.Refused.class);
    return ((Problem.Refused) problem).findings();
  }

  @Test
  void anAliasIsFrozenUntilTheNextDeployment() throws Exception {
    Version one = register(VISION, "one");
    put(BY_ALIAS, true);

    assertThat(files()).isEqualTo(new ModelFiles("digits", "1", one.id(), one.content().digest()));
    assertThat(wanted("service/hello").spec().command())
        .containsExactly("/bin/sh", "-c", "serve " + ModelFiles.PLACE);
    assertThat(wanted("service/hello").spec().environment())
        .containsEntry("V", "1")
        .containsEntry("KUBEFLOW_MODEL_VERSION", "1")
        .containsEntry("KUBEFLOW_MODEL_PATH", ModelFiles.PLACE);

    Version two = register(VISION, "two");
    assertThat(put(BY_ALIAS, false).outcome()).isEqualTo(Outcome.UNCHANGED);
    scale(1);
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(wanted("service/hello").generation()).isEqualTo(2);
    assertThat(files().version()).isEqualTo("1");

    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(files()).isEqualTo(new ModelFiles("digits", "2", two.id(), two.content().digest()));
  }

  @Test
  void aVersionThatRunsIsKeptThoughTheAliasMoved() throws Exception {
    register(VISION, "one");
    put(BY_ALIAS, true);
    register(VISION, "two");
    Models.OfVersion first = new Models.OfVersion(ANN, DIGITS, new VersionName("1"));

    Problem used = failure(bus.request(Models.DELETE_VERSION, first));

    assertThat(used).isInstanceOf(Problem.Conflict.class);
    assertThat(used.detail()).contains("service hello");
    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    success(bus.request(Models.DELETE_VERSION, first));
  }

  @Test
  void whatTheRegistryHasNotIsAFindingAtItsPlace() throws Exception {
    assertThat(refused(BY_ALIAS)).extracting(Finding::pointer).containsExactly("/model/name");
    register(VISION, "one");

    assertThat(refused(BY_ALIAS.replace("production", "canary")))
        .extracting(Finding::pointer)
        .containsExactly("/model/alias");
    assertThat(
            failure(
                    bus.request(
                        Services.PUT,
                        new Services.PutService(
                            ANN,
                            new ServiceName("internal-digits-7"),
                            VISION,
                            "{\"command\":\"x\",\"model\":{\"name\":\"digits\",\"version\":\"7\"}}",
                            true,
                            null,
                            false,
                            List.of())))
                .toString())
        .contains("/model/version");
    assertThat(wanted).isEmpty();
  }

  @Test
  void aModelOfAProjectThatTheCallerIsNoMemberOfDoesNotExist() throws Exception {
    success(
        bus.request(
            Projects.PUT,
            new Projects.PutProject(
                new Actor("bob", ""), SECRET, "Secret", "{}", "{}", true, null)));
    register(SECRET, "one");
    assertThat(refused(BY_ALIAS))
        .containsExactly(new Finding("/model/name", "There is no model 'digits'."));
  }
}
