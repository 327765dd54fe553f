package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Gpus;
import io.orrery.core.bus.contract.Images;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.OldImages;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.ServerFindings;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.ImageState;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.quota.UsageGroup;
import io.orrery.core.quota.UsageStep;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of the studio's contracts as another process would get them. */
class StudioWireTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final UserName ANN = new UserName("ann");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final People.Actor BY = new People.Actor("root", "10.0.0.7");
  private static final People.User USER =
      new People.User(ANN, "Ann", "ann@example.com", UserRole.VIEWER, true, false, THEN, THEN, 3);
  private static final People.Token TOKEN =
      new People.Token("ci", People.Scope.READ, List.of(VISION), THEN, null);
  private static final Projects.Project PROJECT =
      new Projects.Project(VISION, "Vision", "{}", "{}", "ann", THEN, THEN, 1);
  private static final Projects.Member MEMBER = new Projects.Member(ANN, "Ann", ProjectRole.OPS, 3);
  private static final Projects.JoinRequest REQUEST = new Projects.JoinRequest(ANN, "please", THEN);
  private static final Registries.RegistryAccount HUB =
      new Registries.RegistryAccount(
          "hub", VISION, "ann", "hub.example.com", "robot", "hub", THEN, THEN, 1);
  private static final BuildSpec SPEC =
      new BuildSpec(
          "hub.example.com/tool:1",
          "FROM scratch",
          "/mnt/ann/tool",
          "ab",
          Map.of("A", "b"),
          Map.of("tok", "project"));
  private static final ServerFindings.ServerFinding FINDING =
      new ServerFindings.ServerFinding("disk", "failed", "it is full", "free some", THEN);
  private static final Retentions.Rule RULE =
      new Retentions.Rule(
          Retentions.Kind.RUNS, 100, "ann", THEN, new Retentions.Pass(THEN, 3, 1, "a failure"));
  private static final Retentions.OldObject OLD =
      new Retentions.OldObject(Retentions.Kind.RUNS, "r1", VISION, 1, THEN, "a model");
  private static final Builds.ImageBuild BUILD =
      new Builds.ImageBuild(
          "tool",
          VISION,
          "ann",
          SPEC,
          2,
          BuildStatus.RUNNING,
          true,
          "a reason",
          "sha256:ab",
          5L,
          "bob",
          THEN,
          THEN,
          THEN,
          null,
          3);
  private static final Registries.RegistryLogin LOGIN =
      new Registries.RegistryLogin("hub", "hub.example.com", "robot", "sealed:ab");
  private static final Images.CatalogImage TOOL =
      new Images.CatalogImage(
          "ab",
          VISION,
          "ann",
          "hub.example.com/tool:1",
          "a tool",
          "sha256:ab",
          ImageState.MOVED,
          "sha256:cd",
          "moved",
          THEN,
          THEN,
          THEN,
          2);
  private static final QuotaObject OBJECT = new QuotaObject("run", "r1", "s2");
  private static final Amounts UNIT =
      new Amounts(Map.of(QuotaResource.GPU, 2L, QuotaResource.RUNS, 1L));
  private static final Audits.Entry ENTRY =
      new Audits.Entry(THEN, "ann", "::1", "create", "project", "vision", VISION, "done", "");

  private static final Gpus.GpuUse GPU =
      new Gpus.GpuUse(
          0,
          "A100",
          Gpus.GpuState.IDLE,
          0,
          1_024L,
          THEN,
          List.of(new Gpus.GpuHolder("experiment", "abcd1234")));
  private static final Gpus.MachineGpus MACHINE =
      new Gpus.MachineGpus("box", THEN, "a reason", List.of(GPU));
  private static final List<Record> ALL =
      List.of(
          BY,
          new People.Done(),
          new People.Identify("ab"),
          new People.Identity(
              new Caller(
                  "ann",
                  UserRole.USER,
                  Caller.Kind.TOKEN,
                  Map.of(VISION, ProjectRole.CREATOR, ProjectName.PUBLIC, ProjectRole.MEMBER),
                  true),
              THEN,
              7,
              null),
          new People.Identity(null, null, 7, "ab"),
          new People.AskRevision(),
          new People.Revision(8),
          new People.SignIn("ann", "secret", "ab", "::1"),
          new People.TokenSignIn("ab", "ci", "cd", "::1"),
          new People.ExternalSignIn(
              ANN, new People.ExternalId("https://id", "7"), "Ann", "", true, "ab", "::1"),
          new People.ExternalId("https://id", "7"),
          new People.SignOut("ab", "ann"),
          new People.SignedOut(true),
          new People.SetUp("ab", null, "secret", "::1"),
          new People.FirstSetUp("ab"),
          new People.FirstSetUpDone(true),
          USER,
          new People.ListUsers(null, true, UserRole.USER, true, "ann", 10),
          new People.UserPage(List.of(USER), null),
          new People.GetUser(ANN),
          new People.CreateUser(BY, ANN, "Ann", "", UserRole.ADMIN, false, "ab"),
          new People.CreatedUser(USER, THEN),
          new People.ChangeUser(BY, ANN, null, null, UserRole.USER, false, 3L),
          new People.DeleteUser(BY, ANN),
          new People.SetPassword(BY, ANN, null, "secret", "ab"),
          new People.ListTokens(ANN),
          TOKEN,
          new People.Tokens(List.of(TOKEN)),
          new People.CreateToken(BY, ANN, "ci", People.Scope.FULL, null, THEN, "ab"),
          new People.DeleteToken(BY, ANN, "ci"),
          PROJECT,
          new Quotas.Hold(OBJECT, VISION, "ann", 3, UNIT, 4),
          new Quotas.HoldAnswer(
              2, "quota of vision: 8 of 8 GPUs in use: ann 8", QuotaScope.PROJECT),
          new Quotas.AskShares(),
          new Gpus.AskGpus(),
          new Gpus.AllGpus(List.of(MACHINE)),
          MACHINE,
          GPU,
          GPU.holders().getFirst(),
          new Quotas.ProjectUsage(VISION, UNIT),
          new Quotas.UnitClaim(VISION, 50, UNIT, 3, QuotaScope.SERVER, THEN),
          new Quotas.Shares(
              Map.of(QuotaResource.GPU, 8L), List.of(new Quotas.ProjectUsage(VISION, UNIT))),
          new Quotas.Claimed(
              "s1", List.of(new Quotas.UnitClaim(VISION, 50, UNIT, 3, QuotaScope.SERVER, THEN))),
          new Quotas.Release("run", "r1", 3, List.of("", "s2")),
          new Secrets.ProjectSecret("hook", "ann", THEN, 2),
          new Secrets.ProjectSecretList(List.of(new Secrets.ProjectSecret("hook", "ann", THEN, 2))),
          new Secrets.PutSecret(BY, VISION, "hook", "secret", 2L),
          new Secrets.DeleteSecret(BY, VISION, "hook", 2L),
          new Secrets.SecretsOf(VISION),
          new Secrets.FindSecrets(VISION, List.of("hook")),
          new Secrets.FoundSecrets(Map.of("hook", "sealed:ab")),
          new Secrets.SealValue("secret"),
          new Secrets.SealedValue("sealed:ab"),
          HUB,
          new Registries.RegistryList(List.of(HUB)),
          new Registries.ListRegistries(List.of(VISION), "ann", "hub"),
          new Registries.GetRegistry("hub"),
          new Registries.PutRegistry(
              BY, "hub", VISION, "hub.example.com", "robot", "secret:hub", true, 1L, true),
          new Registries.PutRegistryDone(HUB, Services.Outcome.CREATED),
          new Registries.DeleteRegistry(BY, "hub"),
          new Registries.FindRegistryLogins(VISION, "hub"),
          new Registries.FoundRegistryLogins(List.of(LOGIN)),
          LOGIN,
          new Registries.CheckRegistry(VISION, "hub"),
          new Registries.RegistryChecked(false, "refused"),
          new Registries.FindImage(VISION, "hub.example.com/tool:1"),
          new Registries.FoundImage("sha256:ab", true, "a reason"),
          TOOL,
          new Images.ListImages(List.of(VISION), "ann", "tool", ImageState.MOVED),
          new Images.ImageList(List.of(TOOL)),
          new Images.GetImage("ab"),
          new Images.AddImage(BY, VISION, "hub.example.com/tool:1", "a tool", true),
          new Images.AddImageDone(TOOL, Services.Outcome.CHANGED),
          new Images.DeleteImage(BY, "ab"),
          BUILD,
          new Builds.ListBuilds(List.of(VISION), "ann", "tool", BuildStatus.FAILED),
          new Builds.BuildList(List.of(BUILD)),
          new Builds.GetBuild("tool"),
          new Builds.FreezeEnvironment(VISION, "env:tool", "/image"),
          new Builds.FrozenEnvironment("env:tool@sha256:ab"),
          new Builds.PutBuild(BY, "tool", VISION, SPEC, true, 1L, true),
          new Builds.PutBuildDone(BUILD, Services.Outcome.CREATED),
          new Builds.StartBuild(BY, "tool"),
          new Builds.CancelBuild(BY, "tool"),
          new Builds.DeleteBuild(BY, "tool"),
          new Builds.AskUnfinished(),
          new Builds.ReportBuild("tool", 2, BuildStatus.PUSHING, "a reason", "sha256:ab", 5L),
          new Builds.ReadBuildLog("tool", VISION, 2, 5, 10),
          new Builds.CheckBuild(VISION, SPEC),
          new Builds.Changed("tool"),
          new Builds.BuildChecked(List.of("buildah is not installed")),
          new Quotas.HeldBy("run"),
          new Quotas.HeldUnits(OBJECT, 2),
          new Quotas.AllHeld(List.of(new Quotas.HeldUnits(OBJECT, 2))),
          new Quotas.Check(VISION, "a trial of it", UNIT),
          new Quotas.Checked(List.of("it needs 9 GPUs")),
          new Quotas.AskUsage(VISION),
          new Quotas.MemberUsage("ann", UNIT),
          new Quotas.ObjectUsage("run", "r1", "ann", UNIT, THEN),
          new Quotas.Usage(
              new QuotaLimits(Map.of(QuotaResource.GPU, 8L), Map.of(QuotaResource.CPU, 500L)),
              UNIT,
              List.of(new Quotas.MemberUsage("ann", UNIT)),
              List.of()),
          new Quotas.Freed(VISION),
          new UsageHistory.AskHistory(
              List.of(VISION), "ann", "run", THEN, THEN, UsageStep.HOUR, UsageGroup.OBJECT),
          new UsageHistory.Used(THEN, "vision", "ann", "run", "r1", UNIT),
          new UsageHistory.History(
              List.of(new UsageHistory.Used(THEN, null, "ann", null, null, UNIT))),
          new Projects.ListProjects(List.of(VISION), null, "ann", ProjectRole.OPS, null, 5),
          new Projects.ProjectPage(List.of(PROJECT), "vision", Map.of("vision", ProjectRole.OPS)),
          new Projects.GetProject(VISION),
          new Projects.PutProject(BY, VISION, "Vision", "{}", "{}", true, null),
          new Projects.PutDone(PROJECT, true),
          new Projects.DeleteProject(BY, VISION),
          MEMBER,
          new Projects.Members(List.of(MEMBER)),
          new Projects.PutMember(BY, VISION, ANN, ProjectRole.VIEWER, 3L),
          new Projects.RemoveMember(BY, VISION, ANN, 3L),
          new Projects.AskToJoin(BY, VISION, ANN, "please"),
          REQUEST,
          new Projects.JoinRequests(List.of(REQUEST)),
          new Projects.Answer(BY, VISION, ANN, true),
          ENTRY,
          new Audits.ListEntries("ann", null, null, VISION, THEN, null, null, 10),
          new Audits.EntryPage(List.of(ENTRY), null),
          new Audits.Add(List.of(ENTRY)),
          new ServerFindings.AskFindings(),
          new ServerFindings.Findings(List.of(FINDING)),
          FINDING,
          new ServerFindings.ServerFinding("disk", "unknown", "no answer", "", null),
          new Retentions.AskRules(),
          RULE,
          new Retentions.Pass(THEN, 3, 1, null),
          new Retentions.Rules(List.of(RULE)),
          new Retentions.PutRule(BY, Retentions.Kind.RUNS, null),
          new Retentions.AskPreview(Retentions.Kind.RUNS, 7),
          OLD,
          new Retentions.Preview(List.of(OLD), true),
          new Retentions.RunNow(BY, List.of(Retentions.Kind.RUNS)),
          new OldFiles.Find(Retentions.Kind.CODE, THEN),
          new OldFiles.Found(List.of(OLD), 2),
          new OldFiles.Remove(OLD, THEN),
          new OldImages.AskNamed(List.of("hub.example.com/tool@sha256:ab")),
          new OldImages.Named(Map.of("tool:1", "service s1")),
          new OldImages.FindTags(VISION, "hub.example.com/tool@sha256:ab"),
          new OldImages.FoundTags(List.of("1"), "all", "a reason"),
          new OldImages.RemoveImage(VISION, "hub.example.com/tool@sha256:ab"),
          new OldImages.ImageRemoved("a reason"),
          new ResourceOwner(VISION, "ann"));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record -> assertThat(WireCodecTest.throughTheWire(record)).isEqualTo(record));
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        ALL.stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(
                    People.class,
                    Projects.class,
                    Quotas.class,
                    Gpus.class,
                    Secrets.class,
                    Registries.class,
                    Images.class,
                    Builds.class,
                    Audits.class,
                    OldFiles.class,
                    OldImages.class,
                    Retentions.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord))
        .hasSizeGreaterThan(35)
        .allMatch(tried::contains);
  }

  @Test
  void aSecretIsNotInTheTextOfARecord() {
    assertThat(ALL.toString()).doesNotContain("secret");
  }
}
