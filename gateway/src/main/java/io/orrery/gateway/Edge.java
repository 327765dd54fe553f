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
import io.orrery.gateway.audit.AuditFeature;
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
import io.orrery.gateway.experiment.ExperimentFeature;
import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.health.HealthApi;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.keeper.KeeperApi;
import io.orrery.gateway.live.EventStreams;
import io.orrery.gateway.log.ServerLogApi;
import io.orrery.gateway.metric.MetricApi;
import io.orrery.gateway.mlflow.MlflowApi;
import io.orrery.gateway.model.ModelFeature;
import io.orrery.gateway.nni.NniApi;
import io.orrery.gateway.notebook.NotebookFeature;
import io.orrery.gateway.page.PageApi;
import io.orrery.gateway.people.PeopleFeature;
import io.orrery.gateway.pipeline.PipelineFeature;
import io.orrery.gateway.project.ProjectFeature;
import io.orrery.gateway.registry.RegistryFeature;
import io.orrery.gateway.route.RouteTableFeature;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.service.ServiceFeature;
import io.orrery.gateway.status.StatusApi;
import io.orrery.gateway.status.StatusBoard;
import io.orrery.gateway.telemetry.TelemetryApi;
import io.orrery.gateway.tensorboard.Boards;
import io.orrery.gateway.tensorboard.TensorBoardFeature;
import io.orrery.gateway.trial.TrialFeature;
import io.orrery.gateway.workspace.WorkspaceFeature;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

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
    EdgeParts parts =
        new EdgeParts(bus, clock, options, bodies, logs, streams, access, passes, random);
    return new EdgeVerticle(
        options,
        Stream.of(
                // Where thousands of trials knock; a route is found by walking this list.
                List.of(
                    new TrialChannel(bus, sink, tokens, bodies, clock, start),
                    new MetricApi(bus, sink, tokens, bodies, clock),
                    new KeeperApi(bus, sink, tokens, bodies, clock, options.patience())),
                ExperimentFeature.apis(parts, ports, index),
                TrialFeature.apis(parts),
                List.of(new AnnotationApi(bus, bodies)),
                TensorBoardFeature.apis(parts, boards),
                List.of(new ArchiveApi(bus, bodies, clock, options)),
                RouteTableFeature.apis(parts, router),
                List.of(
                    new DocsApi(),
                    new HealthApi(ready),
                    new ClusterApi(leases),
                    new StatusApi(status, clock),
                    new ServerLogApi(),
                    new TelemetryApi(bus),
                    new SessionApi(access, bus, bodies, random),
                    new OpenIdApi(access, bus, random)),
                PeopleFeature.apis(parts),
                ProjectFeature.apis(parts),
                RegistryFeature.apis(parts),
                List.of(new BuildApi(bus, bodies, logs)),
                AuditFeature.apis(parts),
                ServiceFeature.apis(parts, router),
                NotebookFeature.apis(parts, router),
                WorkspaceFeature.apis(parts, places.workspaces(), places.mostBytes()),
                ModelFeature.apis(parts),
                List.of(
                    new ArtifactApi(bus, uploads),
                    new MlflowApi(bus, bodies, uploads, clock, options.patience())),
                PipelineFeature.apis(parts),
                List.of(
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
                    new PageApi()))
            .<Api>flatMap(List::stream)
            .toList(),
        access,
        access,
        clock);
  }
}
