package io.orrery.gateway;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.annotation.AnnotationApi;
import io.orrery.gateway.archive.ArchiveApi;
import io.orrery.gateway.artifact.ArtifactApi;
import io.orrery.gateway.artifact.ArtifactUploads;
import io.orrery.gateway.audit.AuditApi;
import io.orrery.gateway.audit.RetentionApi;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.OpenIdApi;
import io.orrery.gateway.auth.SessionApi;
import io.orrery.gateway.build.BuildApi;
import io.orrery.gateway.channel.NniKeeperApi;
import io.orrery.gateway.channel.TrialChannel;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.cluster.ClusterApi;
import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.docs.DocsApi;
import io.orrery.gateway.experiment.Credentials;
import io.orrery.gateway.experiment.ExperimentApi;
import io.orrery.gateway.experiment.ExperimentEvents;
import io.orrery.gateway.experiment.FrontApi;
import io.orrery.gateway.experiment.ImportanceApi;
import io.orrery.gateway.experiment.MachineApi;
import io.orrery.gateway.experiment.PlatformApi;
import io.orrery.gateway.experiment.SimulationApi;
import io.orrery.gateway.experiment.TunerApi;
import io.orrery.gateway.health.HealthApi;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.keeper.KeeperApi;
import io.orrery.gateway.live.EventStreams;
import io.orrery.gateway.log.ServerLogApi;
import io.orrery.gateway.metric.MetricApi;
import io.orrery.gateway.mlflow.MlflowApi;
import io.orrery.gateway.model.ModelApi;
import io.orrery.gateway.model.VersionApi;
import io.orrery.gateway.nni.NniApi;
import io.orrery.gateway.notebook.NotebookActionApi;
import io.orrery.gateway.notebook.NotebookApi;
import io.orrery.gateway.page.PageApi;
import io.orrery.gateway.people.PeopleApi;
import io.orrery.gateway.people.PersonalTokenApi;
import io.orrery.gateway.pipeline.DueRunApi;
import io.orrery.gateway.pipeline.PipelineApi;
import io.orrery.gateway.pipeline.RunApi;
import io.orrery.gateway.pipeline.RunEventApi;
import io.orrery.gateway.pipeline.RunFileApi;
import io.orrery.gateway.pipeline.ScheduleApi;
import io.orrery.gateway.pipeline.TaskApi;
import io.orrery.gateway.pipeline.TemplateApi;
import io.orrery.gateway.project.GpuApi;
import io.orrery.gateway.project.MemberApi;
import io.orrery.gateway.project.ProjectApi;
import io.orrery.gateway.project.ProjectCheckApi;
import io.orrery.gateway.project.SecretApi;
import io.orrery.gateway.project.UsageApi;
import io.orrery.gateway.project.UsageHistoryApi;
import io.orrery.gateway.registry.ImageApi;
import io.orrery.gateway.registry.RegistryApi;
import io.orrery.gateway.route.RouteApi;
import io.orrery.gateway.route.RouteEvents;
import io.orrery.gateway.route.RouteTicketApi;
import io.orrery.gateway.service.CodeApi;
import io.orrery.gateway.service.DomainApi;
import io.orrery.gateway.service.ModelServingApi;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.service.ServiceApi;
import io.orrery.gateway.service.ServiceLogApi;
import io.orrery.gateway.service.ShellApi;
import io.orrery.gateway.service.StageApi;
import io.orrery.gateway.service.TrafficApi;
import io.orrery.gateway.service.WorkloadApi;
import io.orrery.gateway.service.WorkloadFileApi;
import io.orrery.gateway.status.StatusApi;
import io.orrery.gateway.status.StatusBoard;
import io.orrery.gateway.telemetry.TelemetryApi;
import io.orrery.gateway.tensorboard.BoardApi;
import io.orrery.gateway.tensorboard.Boards;
import io.orrery.gateway.tensorboard.EventFileApi;
import io.orrery.gateway.trial.ExportApi;
import io.orrery.gateway.trial.FileApi;
import io.orrery.gateway.trial.ImportApi;
import io.orrery.gateway.trial.LogApi;
import io.orrery.gateway.trial.TrialApi;
import io.orrery.gateway.workspace.FilePlaceApi;
import io.orrery.gateway.workspace.WorkspaceApi;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Assembles the edge: the one list of everything that is served. */
public final class Edge {
  /**
   * The directories of a server.
   *
   * @param home this server's own
   * @param experiments the directory that holds a directory for each experiment
   * @param nni where NNI's tools look for their index of experiments
   * @param workspaces the directories of people
   * @param mostBytes that the files of a person may have
   */
  public record Places(
      Path home, Path experiments, Path nni, Workspaces workspaces, long mostBytes) {
    /** All below one directory, with few bytes for people. */
    public static Places in(Path home) {
      return new Places(
          home,
          home.resolve("experiments"),
          home.resolve("nni"),
          Workspaces.in(home),
          FEW_MEGABYTES << 20);
    }

    private static final long FEW_MEGABYTES = 64;
  }

  private Edge() {}

  /**
   * The verticle of a process without the role gateway: what it tells of itself, and no more.
   *
   * @param access who may ask for anything
   * @param ready whether the process can work
   * @param leases there once it has its store
   * @param status what it works with
   */
  public static EdgeVerticle aside(
      EdgeOptions options,
      Bus bus,
      Access access,
      Clock clock,
      Readiness ready,
      Future<Leases> leases,
      StatusBoard status) {
    return new EdgeVerticle(
        options,
        List.of(
            new HealthApi(ready),
            new ClusterApi(leases),
            new StatusApi(status, clock),
            new ServerLogApi(),
            new TelemetryApi(bus)),
        access,
        access,
        clock);
  }

  /**
   * The verticle, to be deployed once.
   *
   * @param sink takes the metrics; called on the edge's event loop
   * @param access who may ask for anything
   * @param router where clients reach services
   * @param passes of guarded services
   * @param random makes secrets: a cryptographic source
   * @param start a name that no other start of this server has had
   * @param ready whether the server can work, for {@code /health/ready}
   * @param leases there once the server has its store
   * @param status what the server works with
   */
  public static EdgeVerticle of(
      EdgeOptions options,
      Bus bus,
      MetricSink sink,
      TrialTokens tokens,
      Access access,
      Places places,
      RouterAddress router,
      OriginPasses passes,
      Clock clock,
      RandomGenerator random,
      String start,
      Readiness ready,
      Future<Leases> leases,
      StatusBoard status) {
    ExperimentPorts ports = new ExperimentPorts(bus, places.home().resolve("ports.json"));
    // Its port asks no caller, and is open to all programs of the machine.
    Supplier<String> boardPaths =
        () -> access.required() ? "/" + BearerToken.random(random).text() : "";
    Boards boards = new Boards(bus, clock, places.home().resolve("tensorboard"), boardPaths);
    ExperimentIndex index =
        new ExperimentIndex(
            bus,
            ports,
            places.nni(),
            clock,
            places.home().resolve("logs").resolve("server.log"),
            places.experiments(),
            Credentials::covered);
    RequestBody bodies = new RequestBody(clock, options.patience());
    ArtifactUploads uploads = new ArtifactUploads(bus, bodies, clock, options.patience(), random);
    EventStreams streams = new EventStreams(clock, options.patience(), start);
    LogStreams logs = new LogStreams(clock, options);
    WorkspaceApi files =
        new WorkspaceApi(
            bus,
            places.workspaces(),
            places.mostBytes(),
            bodies,
            clock,
            options.patience(),
            random);
    ServiceApi services = new ServiceApi(bus, bodies, router);
    return new EdgeVerticle(
        options,
        List.of(
            // Where thousands of trials knock; a route is found by walking this list.
            new TrialChannel(bus, sink, tokens, bodies, clock, start),
            new MetricApi(bus, sink, tokens, bodies, clock),
            new KeeperApi(bus, tokens, bodies, clock, options.patience()),
            new ExperimentApi(bus, bodies, ports, index),
            new FrontApi(bus),
            new MachineApi(bus),
            new ImportanceApi(bus),
            new SimulationApi(bus, bodies),
            new TrialApi(bus, bodies),
            new AnnotationApi(bus, bodies),
            new ExperimentEvents(bus, access.ownerships(), clock, streams),
            new LogApi(bus, logs),
            new FileApi(bus, clock, options.patience()),
            new EventFileApi(bus, clock, options.patience()),
            new BoardApi(bus, bodies, boards),
            new ExportApi(bus, clock, options),
            new ImportApi(bus, bodies),
            new ArchiveApi(bus, bodies, clock, options),
            new TunerApi(bus, bodies),
            new PlatformApi(bus, bodies),
            new RouteApi(bus, bodies),
            new RouteEvents(bus, clock, streams),
            new RouteTicketApi(bus, router, passes, clock),
            new DocsApi(),
            new HealthApi(ready),
            new ClusterApi(leases),
            new StatusApi(status, clock),
            new ServerLogApi(),
            new TelemetryApi(bus),
            new SessionApi(access, bus, bodies, random),
            new OpenIdApi(access, bus, random),
            new PeopleApi(bus, bodies, random),
            new PersonalTokenApi(bus, bodies, clock, random),
            new ProjectApi(bus, bodies),
            new ProjectCheckApi(bus, bodies),
            new MemberApi(bus, bodies, clock),
            new UsageApi(bus),
            new UsageHistoryApi(bus, clock),
            new GpuApi(bus),
            new SecretApi(bus, bodies),
            new RegistryApi(bus, bodies),
            new ImageApi(bus, bodies),
            new BuildApi(bus, bodies, logs),
            new FilePlaceApi(bus),
            new AuditApi(bus, clock, options.patience()),
            new RetentionApi(bus, bodies),
            services,
            new StageApi(bus, bodies, router),
            new ModelServingApi(bus, bodies, services, router),
            new DomainApi(bus, bodies, router),
            new ServiceLogApi(bus, logs),
            new TrafficApi(bus),
            new WorkloadApi(bus),
            new NotebookApi(bus, bodies, router, random),
            new NotebookActionApi(bus, router, passes, clock, logs),
            // Before the paths below: its own is that of a person.
            files.copies(bus, access.ownerships()),
            files,
            new ShellApi(bus),
            new CodeApi(bus, bodies),
            new WorkloadFileApi(bus, passes, clock, options.patience()),
            new ModelApi(bus, bodies),
            new VersionApi(bus, bodies, access.ownerships(), clock, options.patience()),
            new ArtifactApi(bus, uploads),
            new MlflowApi(bus, bodies, uploads, clock, options.patience()),
            new TemplateApi(bus, bodies),
            new PipelineApi(bus, bodies),
            new ScheduleApi(bus, bodies, clock),
            new DueRunApi(bus, bodies),
            new RunApi(bus, bodies),
            new RunFileApi(bus, logs),
            new TaskApi(bus, bodies, logs, clock),
            new RunEventApi(bus, clock, options.patience()),
            new NniKeeperApi(bus, sink, tokens, bodies, clock, ports, start),
            new NniApi(
                bus,
                bodies,
                clock,
                options,
                places.experiments(),
                ports,
                index,
                boards,
                access.ownerships(),
                start),
            new PageApi()),
        access,
        access,
        clock);
  }
}
