package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.digest.Sha256;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models are kept alike on every store. */
abstract class ModelContract {
  private static final ModelName DIGITS = new ModelName("digits");
  private static final Actor ANN = new Actor("ann", "10.0.0.1");
  private static final ModelAlias PRODUCTION = new ModelAlias("production");
  private static final VersionName ONE = new VersionName("1");
  private static final VersionName TWO = new VersionName("2");
  private static final About ABOUT =
      new About(ModelStage.NONE, "", "onnx", "{}", "{}", Map.of("team", "vision"));
  private static final String UPLOAD = "0123456789abcdef".repeat(2);

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private Bus bus;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    success(
        vertx.deployVerticle(
            new StudioVerticle(bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  // ---- acting -------------------------------------------------------------------------------

  private static Models.RegisterVersion registration(
      @Nullable VersionName version, List<ArtifactFile> files, List<ModelAlias> aliases) {
    return new Models.RegisterVersion(
        ANN,
        DIGITS,
        ProjectName.PUBLIC,
        true,
        version,
        files.isEmpty() ? "s3://models/digits" : null,
        files,
        null,
        null,
        ABOUT,
        aliases,
        false);
  }

  private Version register(ModelAlias... aliases) throws Exception {
    return success(bus.request(Models.REGISTER, registration(null, List.of(), List.of(aliases))));
  }

  private Artifacts.Stored upload(String text, @Nullable String digest) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    success(bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(UPLOAD, 0, bytes)));
    return success(
        bus.request(Artifacts.COMMIT, new Artifacts.Commit(UPLOAD, bytes.length, digest)));
  }

  private Models.Resolved resolve(@Nullable VersionName version, @Nullable ModelAlias alias)
      throws Exception {
    return success(bus.request(Models.RESOLVE, new Models.Resolve(DIGITS, version, alias)));
  }

  private void service(String name, String document) throws Exception {
    success(
        store.write(
            List.of(
                Statement.of(
                    "insert into services (name, project, owner, document, created_at, changed_at,"
                        + " revision, generation) values (?, 'public', 'ann', ?, 0, 0, 1, 0)",
                    name,
                    document))));
  }

  // ---- tests --------------------------------------------------------------------------------

  @Test
  void versionsAreNumberedAndTheNewestIsTheLatest() throws Exception {
    Version first = register();
    Version second = register(PRODUCTION);

    assertThat(first.version()).isEqualTo(ONE);
    assertThat(second.version()).isEqualTo(TWO);
    assertThat(second.aliases()).containsExactly(PRODUCTION);
    var model = success(bus.request(Models.GET, new Models.GetModel(DIGITS)));
    assertThat(model.latest()).isEqualTo(TWO);
    assertThat(model.owner()).isEqualTo("ann");
    assertThat(model.aliases()).isEqualTo(Map.of(PRODUCTION, TWO));
    assertThat(
            success(bus.request(Models.VERSIONS, new Models.ListVersions(DIGITS, null, null, 1)))
                .items())
        .singleElement()
        .extracting(Version::version)
        .isEqualTo(TWO);
  }

  @Test
  void manyRegistrationsAtOnceHaveOneNumberEach() throws Exception {
    List<Future<Version>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(bus.request(Models.REGISTER, registration(null, List.of(), List.of())));
    }

    success(Future.all(all));

    assertThat(all.stream().map(each -> each.result().number()))
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
  }

  @Test
  void filesOfVersionsAreChargedToTheStorageOfTheirProjectUntilTheyAreDeleted() throws Exception {
    success(
        store.write(
            List.of(
                Statement.of(
                    "update projects set quota = '{\"storage\": \"1K\"}' where name = 'public'"))));
    var stored = upload("x".repeat(600), null);
    var files = List.of(new ArtifactFile("weights.bin", stored.digest(), 0));
    Version first = success(bus.request(Models.REGISTER, registration(null, files, List.of())));
    assertThat(storage()).isEqualTo(600);

    Problem refused = failure(bus.request(Models.REGISTER, registration(null, files, List.of())));
    assertThat(refused).isInstanceOf(Problem.TooLarge.class);
    assertThat(refused.detail())
        .contains(
            "version 2 of model 'digits' does not fit: quota of public: 600 of 1K of storage");
    assertThat(storage()).isEqualTo(600);

    success(bus.request(Models.DELETE_VERSION, new Models.OfVersion(ANN, DIGITS, first.version())));
    assertThat(storage()).isZero();
    success(bus.request(Models.REGISTER, registration(null, files, List.of())));
    success(bus.request(Models.DELETE, new Models.OfModel(ANN, DIGITS)));
    assertThat(storage()).isZero();
  }

  @Test
  void versionsThatAreRegisteredAtOnceNeverExceedTheStorage() throws Exception {
    success(
        store.write(
            List.of(
                Statement.of(
                    "update projects set quota = '{\"storage\": \"2K\"}' where name = 'public'"))));
    var stored = upload("x".repeat(600), null);
    var files = List.of(new ArtifactFile("weights.bin", stored.digest(), 0));
    List<Future<Version>> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(bus.request(Models.REGISTER, registration(null, files, List.of())));
    }
    success(Future.join(all).otherwiseEmpty());

    assertThat(all.stream().filter(Future::succeeded)).hasSize(3);
    assertThat(storage()).isEqualTo(1_800);
  }

  private long storage() throws Exception {
    return success(bus.request(Quotas.USAGE, new Quotas.AskUsage(ProjectName.PUBLIC)))
        .used()
        .get(QuotaResource.STORAGE);
  }

  @Test
  void aNameAndAnAliasLeadToTheVersionAndItsFiles() throws Exception {
    var stored = upload("weights", Sha256.hex("weights"));
    var files = List.of(new ArtifactFile("model/weights.bin", stored.digest(), 0));
    Version version =
        success(
            bus.request(
                Models.REGISTER,
                registration(new VersionName("v2026.11"), files, List.of(PRODUCTION))));
    register();

    Models.Resolved byAlias = resolve(null, PRODUCTION);
    Models.Resolved byName = resolve(version.version(), null);

    assertThat(byAlias).isEqualTo(byName);
    assertThat(byAlias.content().path()).isNull();
    assertThat(byAlias.content().bytes()).isEqualTo(7);
    assertThat(byAlias.content().digest())
        .isEqualTo(Sha256.hex(stored.digest() + "  model/weights.bin\n"));
    assertThat(
            success(
                    bus.request(
                        Artifacts.LIST,
                        new Artifacts.ListFiles(Models.tree(byAlias.id()), "model")))
                .files())
        .singleElement()
        .extracting(ArtifactFile::digest)
        .isEqualTo(stored.digest());
    assertThat(resolve(TWO, null).content().path()).isEqualTo("s3://models/digits");
    assertThat(
            failure(
                bus.request(
                    Models.RESOLVE, new Models.Resolve(DIGITS, null, new ModelAlias("canary")))))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void anUploadWithAnotherDigestIsRefusedAndForgotten() throws Exception {
    success(bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(UPLOAD, 0, new byte[3])));

    assertThat(
            failure(
                bus.request(
                    Artifacts.COMMIT, new Artifacts.Commit(UPLOAD, 3, Sha256.hex("other")))))
        .isInstanceOf(Problem.Refused.class);
    assertThat(failure(bus.request(Artifacts.COMMIT, new Artifacts.Commit(UPLOAD, 3, null))))
        .isInstanceOf(Problem.Refused.class);
  }

  @Test
  void filesThatAreNotUploadedAreRefusedAndNothingIsRegistered() throws Exception {
    var files = List.of(new ArtifactFile("model", Sha256.hex("absent"), 0));

    Problem problem = failure(bus.request(Models.REGISTER, registration(null, files, List.of())));

    assertThat(problem).isInstanceOf(Problem.Refused.class);
    assertThat(problem.detail()).contains("Upload it first");
    assertThat(failure(bus.request(Models.GET, new Models.GetModel(DIGITS))))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void aVersionThatAnAliasOrServiceUsesIsKeptAndTheUserIsNamed() throws Exception {
    register(PRODUCTION);
    register();
    service("reader", "{\"model\":{\"name\":\"digits\",\"version\":\"2\"}}");
    service("other", "{\"model\":{\"name\":\"letters\",\"version\":\"1\"}}");

    Problem byAlias =
        failure(bus.request(Models.DELETE_VERSION, new Models.OfVersion(ANN, DIGITS, ONE)));
    Problem byService =
        failure(bus.request(Models.DELETE_VERSION, new Models.OfVersion(ANN, DIGITS, TWO)));
    Problem whole = failure(bus.request(Models.DELETE, new Models.OfModel(ANN, DIGITS)));

    assertThat(byAlias).isInstanceOf(Problem.Conflict.class);
    assertThat(byAlias.detail()).contains("alias production");
    assertThat(byService).isInstanceOf(Problem.Conflict.class);
    assertThat(byService.detail()).contains("service reader").doesNotContain("other");
    assertThat(whole).isInstanceOf(Problem.Conflict.class);
    assertThat(whole.detail()).contains("reader");
  }

  @Test
  void anAliasThatAServiceUsesIsKeptAndMayBeMoved() throws Exception {
    register(PRODUCTION);
    register();
    service("reader", "{\"model\":{\"name\":\"digits\",\"alias\":\"production\"}}");

    assertThat(
            failure(bus.request(Models.DROP_ALIAS, new Models.DropAlias(ANN, DIGITS, PRODUCTION)))
                .detail())
        .contains("reader");
    var moved =
        success(bus.request(Models.SET_ALIAS, new Models.SetAlias(ANN, DIGITS, PRODUCTION, TWO)));

    assertThat(moved.aliases()).isEqualTo(Map.of(PRODUCTION, TWO));
    success(bus.request(Models.DELETE_VERSION, new Models.OfVersion(ANN, DIGITS, ONE)));
    assertThat(failure(bus.request(Models.VERSION, new Models.GetVersion(DIGITS, ONE))))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void aNumberIsNotGivenTwice() throws Exception {
    register();
    success(bus.request(Models.DELETE_VERSION, new Models.OfVersion(ANN, DIGITS, ONE)));

    assertThat(register().version()).isEqualTo(TWO);
  }

  @Test
  void aChangeForAnotherRevisionIsAConflict() throws Exception {
    Version version = register();
    var about = new About(ModelStage.PRODUCTION, "new", "onnx", "{}", "{}", Map.of());
    success(
        bus.request(
            Models.CHANGE_VERSION,
            new Models.ChangeVersion(ANN, DIGITS, ONE, about, version.revision(), false)));

    assertThat(
            failure(
                bus.request(
                    Models.CHANGE_VERSION,
                    new Models.ChangeVersion(ANN, DIGITS, ONE, ABOUT, version.revision(), false))))
        .isInstanceOf(Problem.Conflict.class);
    var now = success(bus.request(Models.VERSION, new Models.GetVersion(DIGITS, ONE)));
    assertThat(now.about().stage()).isEqualTo(ModelStage.PRODUCTION);
    assertThat(now.about().description()).isEqualTo("new");
  }

  @Test
  void aRenamedModelKeepsItsVersionsAndAliases() throws Exception {
    register(PRODUCTION);
    ModelName letters = new ModelName("Letters 2");

    var renamed = success(bus.request(Models.RENAME, new Models.Rename(ANN, DIGITS, letters)));

    assertThat(renamed.aliases()).isEqualTo(Map.of(PRODUCTION, ONE));
    assertThat(success(bus.request(Models.VERSION, new Models.GetVersion(letters, ONE))).model())
        .isEqualTo(letters);
    assertThat(failure(bus.request(Models.GET, new Models.GetModel(DIGITS))))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void eachChangeIsInTheAuditLog() throws Exception {
    register();
    success(bus.request(Models.SET_ALIAS, new Models.SetAlias(ANN, DIGITS, PRODUCTION, ONE)));

    var entries =
        success(
                bus.request(
                    Audits.LIST,
                    new Audits.ListEntries(null, "model", "digits", null, null, null, null, 10)))
            .items();

    assertThat(entries)
        .extracting(Audits.Entry::action)
        .containsExactlyInAnyOrder("alias", "register");
  }
}
