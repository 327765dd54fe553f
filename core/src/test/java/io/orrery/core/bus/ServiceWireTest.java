package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.bus.contract.WorkloadFiles;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ModelSource;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of services and workloads as another process would get them. */
class ServiceWireTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/test.hello");
  private static final ReplicaRef FIRST = new ReplicaRef(HELLO, 3, 0);
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor BY = new Actor("ann", "10.0.0.7");
  private static final ServiceName NAME = new ServiceName("hello");
  private static final WorkloadSpec SPEC =
      new WorkloadSpec(
              List.of("/bin/sh", "-c", "serve --key $KEY"),
              "example.com/serve:1",
              "/srv/hello",
              Map.of("KEY", "secret"),
              List.of(new WorkloadPort("http0", 8080)),
              new Probe("http0", "/healthz", Duration.ofMillis(500), Duration.ofSeconds(2)),
              Duration.ofMinutes(10),
              Duration.ofSeconds(30),
              new Resources(new Amount(500, 2_000), Amount.UNLIMITED, 1),
              new Mounts(List.of(new VolumeMount(VolumeKind.HOSTPATH, "/data", "/data"))),
              new Exposure(
                  List.of(new ExposedPort("http0", 31_000)),
                  List.of(new ExternalAddress("10.0.0.7", "gpu.example.com"))),
              new ModelFiles(
                  "digits",
                  "v1",
                  "0123456789abcdef",
                  "ab",
                  "/srv/models/ab",
                  new ModelSource("https://example.com/digits.zip", "ab")))
          .withFiles(Map.of("models.config", "text"))
          .withCode("0a".repeat(32))
          .scalingBy(new UseScaling(1, 4, Map.of(Readings.CPU, 0.25)))
          .on(new NodePlacement(Map.of("cpu", "true"), List.of("ml", "vision")));
  private static final Replica REPLICA =
      new Replica(
          FIRST,
          ReplicaPhase.BACKOFF,
          "it ended with exit code 3",
          Map.of("http0", "127.0.0.1:31001"),
          2,
          3,
          List.of("no model"),
          THEN);
  private static final Workloads.Workload WORKLOAD =
      new Workloads.Workload(
          HELLO,
          VISION,
          "ann",
          Workloads.HERE,
          3,
          1,
          WorkloadStatus.FAILED,
          "why",
          List.of(REPLICA),
          THEN,
          true,
          2,
          new Upgrade(2, 5));
  private static final Services.Exposed EXPOSED =
      new Services.Exposed(7687, 31_000, List.of("gpu.example.com"));
  private static final Services.Stage STAGE =
      new Services.Stage(
          ServiceStage.TEST, 3, 2, 1, THEN, WORKLOAD, List.of(EXPOSED), "hub/tool@sha256:0a");
  private static final Domains.Rollout ROLLOUT =
      new Domains.Rollout(
          RolloutState.STEP,
          1,
          4,
          NAME,
          "why",
          THEN,
          List.of(5, 100),
          List.of("gate"),
          List.of(new Domains.StepTime(0, THEN), new Domains.StepTime(1, THEN)),
          null);
  private static final Domains.Domain DOMAIN =
      new Domains.Domain(
          "hello.example.com",
          VISION,
          "ann",
          List.of(new ServiceShare(NAME, 100)),
          List.of(),
          List.of(NAME),
          ROLLOUT,
          3,
          THEN);
  private static final DomainRoutes.DomainRoute DOMAIN_ROUTE =
      new DomainRoutes.DomainRoute(
          "hello.example.com",
          3,
          List.of(new ServiceShare(NAME, 100)),
          List.of(new ServiceShare(NAME, 5)));
  private static final Services.Upgrading UPGRADING = new Services.Upgrading(3, 2, ROLLOUT, true);
  private static final Services.Service SERVICE =
      new Services.Service(
          NAME, VISION, "ann", "{}", THEN, THEN, 2, List.of(STAGE), ROLLOUT, UPGRADING);

  private static final Notebooks.Notebook NOTEBOOK =
      new Notebooks.Notebook(
          new NotebookName("ann-1"),
          VISION,
          "ann",
          "{}",
          THEN,
          THEN,
          2,
          NotebookIde.JUPYTER,
          List.of("bob"),
          "ab",
          1,
          new Notebooks.State(NotebookStatus.FAILED, "why", 3, List.of("no kernel"), THEN, THEN));

  private static final List<Record> ALL =
      List.of(
          new Workloads.Want(
              HELLO, VISION, "ann", Workloads.HERE, 3, SPEC, "ab", 2, "{\"name\":\"hello\"}"),
          new Workloads.Want(HELLO, VISION, "", Workloads.HERE, 3, SPEC, null, 0, null),
          new Workloads.Want(
              HELLO, VISION, "", Workloads.HERE, 3, SPEC, null, 0, null, new Upgrade(2, null)),
          new Workloads.Remove(HELLO),
          new Workloads.ListSome(null),
          new Workloads.ListSome(List.of(HELLO)),
          new Workloads.Listed(List.of(WORKLOAD)),
          new Workloads.Get(HELLO),
          WORKLOAD,
          new Workloads.Check(WorkloadRef.parse("service/hello"), Workloads.HERE, SPEC),
          new Workloads.Checked(List.of("there is no directory /srv/hello")),
          new Workloads.Preflight("{\"cluster\": \"dev\"}"),
          new Workloads.Preflighted(
              List.of(new Finding("/cluster", "there is no cluster 'dev'")),
              List.of(new Finding("/node_selector", "has no effect"))),
          new Workloads.TakeSnapshot(HELLO, new ProjectName("vision"), "hub.example.com/tool:1"),
          new Workloads.SnapshotTaken("sha256:ab", 5),
          new Workloads.SnapshotTaken(null, 5),
          new Workloads.Call(HELLO, "/api/status"),
          new Workloads.Called(200, "{}"),
          new Usages.Ask(
              List.of(
                  new Usages.AskOne(HELLO, true, null),
                  new Usages.AskOne(
                      HELLO, false, new Usages.Scrape("http0", "/metrics", List.of("queue"))))),
          new Usages.Read(
              List.of(
                  new Usages.WorkloadUsage(
                      HELLO,
                      List.of(
                          new Usages.ReplicaUsage(
                              FIRST,
                              new Readings(Map.of(Readings.MEMORY, 5.0), Map.of("cpu", 1.5)))),
                      3,
                      null))),
          new Workloads.ReadLog(FIRST, true, -5, 10),
          new Workloads.EventsOf(HELLO),
          new Shells.OpenShell(
              FIRST, new TerminalSize(120, 40), new Actor("ann", "127.0.0.1"), "ssh"),
          new Shells.Opened("s"),
          new Shells.ReadShell("s"),
          new Shells.ResizeShell("s", TerminalSize.USUAL),
          new Shells.CloseShell("s"),
          new Workloads.Event(7, THEN, FIRST, "BACKOFF", "why"),
          new Workloads.Event(8, THEN, null, "READY", null),
          new Workloads.Events(List.of(new Workloads.Event(8, THEN, null, "READY", null))),
          new Workloads.Changed(HELLO),
          DOMAIN,
          ROLLOUT,
          new ServiceShare(NAME, 7),
          new Domains.StepTime(1, THEN),
          new Domains.Rollout(
              RolloutState.IDLE, 0, 0, null, null, THEN, List.of(), List.of(), List.of(), THEN),
          new Domains.ListDomains(null),
          new Domains.ListDomains(List.of(VISION)),
          new Domains.DomainList(List.of(DOMAIN)),
          new Domains.GetDomain("hello.example.com"),
          new Domains.PutDomain(
              BY, "hello.example.com", List.of(new ServiceShare(NAME, 100)), null, 2L, true),
          new Domains.Steer(BY, "hello.example.com", Domains.Action.PROMOTE),
          new Domains.Changed(),
          DOMAIN_ROUTE,
          new ServiceShare(NAME, 5),
          new DomainRoutes.Drop("hello.example.com"),
          new DomainRoutes.ListAll(),
          new DomainRoutes.Listed(List.of(DOMAIN_ROUTE)),
          new CodeBundles.Find("ab"),
          new CodeBundles.Found(true),
          new CodeBundles.Commit("u", "ab", 2),
          new CodeBundles.Keep(List.of("ab")),
          new WorkloadFiles.Archive(WorkloadFiles.Kind.MODEL, "0a".repeat(32)),
          new WorkloadFiles.Read(
              new WorkloadFiles.Archive(WorkloadFiles.Kind.CODE, "0a".repeat(32)), 5L << 32, 100),
          STAGE,
          EXPOSED,
          new Services.Stage(ServiceStage.PRODUCTION, 1, 1, 0, THEN, null, List.of(), null),
          SERVICE,
          new Services.ListServices(List.of(VISION), "ann", "he", null, 10),
          new Services.ListServices(null, null, null, "hello", 10),
          new Services.ServicePage(List.of(SERVICE), "hello"),
          new Services.GetService(NAME),
          new Services.PutService(
              BY, NAME, VISION, "{\"env\":{\"K\":\"secret\"}}", true, 2L, true, List.of(NAME)),
          UPGRADING,
          new Services.SteerUpgrade(BY, NAME, Domains.Action.PAUSE),
          new Services.ShareUpgrade(NAME, 3, 5),
          new Services.ShareUpgrade(NAME, 3, null),
          new Services.RevertUpgrade(NAME, 3),
          new Services.AutoScale(NAME, 1, 3, "380.0 requests/s of 100 each"),
          new Services.ScalingsOf(NAME),
          new Services.Scaling(THEN, 1, 3, "why"),
          new Services.Scalings(List.of(new Services.Scaling(THEN, 1, 3, "why"))),
          new Services.PutDone(null, Services.Outcome.CREATED, List.of("Odd.")),
          new Services.OfService(BY, NAME),
          new Services.OfStage(BY, NAME, ServiceStage.DEBUG),
          new Services.Scale(BY, NAME, ServiceStage.PRODUCTION, 3),
          NOTEBOOK,
          NOTEBOOK.state(),
          new Notebooks.State(NotebookStatus.STOPPED, null, null, List.of(), null, THEN),
          new Notebooks.ListNotebooks(List.of(VISION), "bob", VISION, "ann", "an", null, 10),
          new Notebooks.ListNotebooks(null, "bob", null, null, null, "ann-1", 10),
          new Notebooks.NotebookPage(List.of(NOTEBOOK), "ann-1"),
          new Notebooks.GetNotebook(NOTEBOOK.name()),
          new Notebooks.OfNotebook(BY, NOTEBOOK.name()),
          new Notebooks.AskStopped(THEN),
          new Notebooks.DeleteStopped(BY, NOTEBOOK.name(), THEN),
          new Notebooks.Stopped(NOTEBOOK.name(), NOTEBOOK.project(), THEN),
          new Notebooks.StoppedList(
              List.of(new Notebooks.Stopped(NOTEBOOK.name(), NOTEBOOK.project(), THEN))),
          new Notebooks.PutNotebook(
              BY, NOTEBOOK.name(), VISION, "{\"env\":{\"K\":\"secret\"}}", true, 2L, true),
          new Notebooks.PutDone(NOTEBOOK, Services.Outcome.CHANGED, List.of("Odd.")),
          new Notebooks.EventsOf(NOTEBOOK.name()),
          new Notebooks.Event(3, THEN, "WARNED", "why"),
          new Notebooks.Events(List.of(new Notebooks.Event(3, THEN, "IDLE", null))),
          new Services.RevisionsOf(NAME),
          new Services.Revision(1, THEN, "ann", "{}"),
          new Services.Revisions(List.of(new Services.Revision(1, THEN, "ann", "{}"))));

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
                    Workloads.class,
                    Services.class,
                    Notebooks.class,
                    CodeBundles.class,
                    WorkloadFiles.class,
                    Domains.class,
                    DomainRoutes.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord)
                // Compared byte by byte, below.
                .filter(record -> record != CodeBundles.AddPart.class))
        .hasSizeGreaterThan(25)
        .allMatch(tried::contains);
  }

  @Test
  void aPartOfCodeComesOutAsItWentIn() {
    CodeBundles.AddPart part = new CodeBundles.AddPart("u", 3, new byte[] {0, 1, -1});

    CodeBundles.AddPart out = (CodeBundles.AddPart) WireCodecTest.throughTheWire(part);

    assertThat(out.bytes()).isEqualTo(part.bytes());
    assertThat(out.number()).isEqualTo(3);
  }

  @Test
  void aSecretIsNotInTheTextOfARecord() {
    assertThat(ALL.toString()).doesNotContain("secret");
  }
}
