package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Images;
import io.orrery.core.bus.contract.Images.AddImage;
import io.orrery.core.bus.contract.Images.CatalogImage;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.bus.contract.Registries.PutRegistry;
import io.orrery.core.bus.contract.Registries.RegistryAccount;
import io.orrery.core.bus.contract.Registries.RegistryLogin;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.image.ImageState;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeps accounts of registries and the catalogue of images, on every store alike. */
abstract class RegistryContract extends StudioFixture {
  private static final Actor CLEO = new Actor("cleo", "10.0.0.2");
  private static final String TOOL = "hub.example.com/vision/tool:1";

  /** What the registry answers about an image. */
  private final AtomicReference<FoundImage> found =
      new AtomicReference<>(new FoundImage("sha256:one", true, null));

  @BeforeEach
  void serve() throws Exception {
    success(
        bus.serve(
            Secrets.SEAL,
            asked ->
                Future.succeededFuture(
                    new Secrets.SealedValue("sealed:" + asked.value().hashCode()))));
    success(
        bus.serve(
            Notebooks.LIST,
            asked -> Future.succeededFuture(new Notebooks.NotebookPage(List.of(), null))));
    success(
        bus.serve(
            PipelineRuns.LIST,
            asked -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null))));
    success(bus.serve(Registries.IMAGE, asked -> Future.succeededFuture(found.get())));
    ask(Projects.PUT, new Projects.PutProject(CLEO, VISION, "Vision", "{}", "{}", true, null));
  }

  private static PutRegistry put(String server, String password, boolean creates) {
    return new PutRegistry(CLEO, "hub", VISION, server, "robot", password, creates, null, false);
  }

  private List<RegistryLogin> logins() throws Exception {
    return ask(Registries.FIND, new Registries.FindRegistryLogins(VISION, null)).items();
  }

  @Test
  void anAccountIsSealedAndOutlivesTheStudio() throws Exception {
    RegistryAccount account =
        ask(Registries.PUT, put("Hub.Example.com/vision/", "p", true)).account();
    assertThat(account.server()).isEqualTo("hub.example.com/vision");
    assertThat(account.passwordFrom()).isNull();

    success(vertx.undeploy(deployment));
    deploy();

    assertThat(ask(Registries.GET, new Registries.GetRegistry("hub"))).isEqualTo(account);
    assertThat(logins())
        .containsExactly(
            new RegistryLogin(
                "hub", "hub.example.com/vision", "robot", "sealed:" + "p".hashCode()));
    assertThat(ask(Registries.PUT, put("hub.example.com/vision", "p", false)).outcome())
        .isEqualTo(Outcome.UNCHANGED);
    assertThat(ask(Registries.PUT, put("hub.example.com/vision", "secret:hub", false)).account())
        .satisfies(changed -> {
          assertThat(changed.passwordFrom()).isEqualTo("hub");
          assertThat(changed.revision()).isEqualTo(2);
        });
    assertThat(logins()).extracting(RegistryLogin::stored).containsExactly("secret:hub");
  }

  @Test
  void aPasswordStaysWithItsServer() throws Exception {
    ask(Registries.PUT, put("hub.example.com", "p", true));

    assertThat(refused(Registries.PUT, put("evil.example.com", null, false)))
        .isInstanceOf(Problem.Refused.class);
    assertThat(ask(Registries.PUT, put("hub.example.com", null, false)).outcome())
        .isEqualTo(Outcome.UNCHANGED);
    assertThat(logins()).extracting(RegistryLogin::server).containsExactly("hub.example.com");
  }

  @Test
  void whatIsWrongChangesNothing() throws Exception {
    Problem problem =
        refused(
            Registries.PUT,
            new PutRegistry(CLEO, "Hub!", VISION, "https://hub", "a:b", "", true, null, false));
    assertThat(((Problem.Refused) problem).findings())
        .extracting(finding -> finding.pointer())
        .containsExactly("/name", "/server", "/user", "/password");
    assertThat(refused(Registries.PUT, put("hub.example.com", null, true)))
        .isInstanceOf(Problem.Refused.class);
    ask(
        Registries.PUT,
        new PutRegistry(CLEO, "hub", VISION, "hub.example.com", "robot", "p", true, null, true));
    assertThat(logins()).isEmpty();

    ask(Registries.PUT, put("hub.example.com", "p", true));
    assertThat(refused(Registries.PUT, put("hub.example.com", "p", true)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(
            refused(
                Registries.PUT,
                new PutRegistry(
                    CLEO, "hub", VISION, "hub.example.com", "robot", "q", false, 7L, false)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(logins()).extracting(RegistryLogin::stored).containsExactly("sealed:112");
  }

  @Test
  void theCatalogueFollowsTheRegistry() throws Exception {
    AddImage add = new AddImage(CLEO, VISION, TOOL, "a tool", false);
    CatalogImage image = ask(Images.ADD, add).image();
    assertThat(image.digest()).isEqualTo("sha256:one");
    assertThat(ask(Images.ADD, add).outcome()).isEqualTo(Outcome.UNCHANGED);
    Images.GetImage id = new Images.GetImage(image.id());

    found.set(new FoundImage("sha256:two", true, null));
    assertThat(ask(Images.CHECK, id).state()).isEqualTo(ImageState.MOVED);
    found.set(new FoundImage(null, false, "it does not answer"));
    assertThat(ask(Images.CHECK, id).state()).isEqualTo(ImageState.UNKNOWN);
    assertThat(refused(Images.ADD, add).detail()).contains("it does not answer");
    found.set(new FoundImage(null, true, "gone"));
    ask(Images.CHECK, id);
    assertThat(ask(Images.GET, id))
        .satisfies(gone -> {
          assertThat(gone.state()).isEqualTo(ImageState.GONE);
          assertThat(gone.digest()).isEqualTo("sha256:one");
          assertThat(gone.presentDigest()).isNull();
          assertThat(gone.reason()).isEqualTo("gone");
        });

    found.set(new FoundImage("sha256:two", true, null));
    assertThat(ask(Images.ADD, new AddImage(CLEO, VISION, TOOL, null, false)))
        .satisfies(taken -> {
          assertThat(taken.outcome()).isEqualTo(Outcome.CHANGED);
          assertThat(taken.image().digest()).isEqualTo("sha256:two");
          assertThat(taken.image().description()).isEqualTo("a tool");
          assertThat(taken.image().revision()).isEqualTo(2);
        });
  }

  @Test
  void aProjectThatIsDeletedTakesThemAlong() throws Exception {
    ask(Registries.PUT, put("hub.example.com", "p", true));
    ask(Images.ADD, new AddImage(CLEO, VISION, TOOL, "", false));
    ask(Images.ADD, new AddImage(CLEO, ProjectName.PUBLIC, TOOL, "", false));

    ask(Projects.DELETE, new Projects.DeleteProject(CLEO, VISION));

    assertThat(logins()).isEmpty();
    assertThat(ask(Images.LIST, new Images.ListImages(null, null, null, null)).items())
        .extracting(CatalogImage::project)
        .containsExactly(ProjectName.PUBLIC);
  }
}
