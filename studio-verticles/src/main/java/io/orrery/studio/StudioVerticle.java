package io.orrery.studio;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.code.FetchedCode;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions.Form;
import io.orrery.core.time.Clock;
import io.orrery.studio.artifact.ArtifactHandler;
import io.orrery.studio.audit.AuditTable;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.build.BuildHandler;
import io.orrery.studio.build.EndedBuilds;
import io.orrery.studio.build.PushedImages;
import io.orrery.studio.deployment.DeploymentTable;
import io.orrery.studio.domain.DomainHandler;
import io.orrery.studio.due.ScheduleHandler;
import io.orrery.studio.environment.UnusedEnvironments;
import io.orrery.studio.model.ModelHandler;
import io.orrery.studio.notebook.NotebookShares;
import io.orrery.studio.notebook.NotebookTable;
import io.orrery.studio.notebook.StoppedNotebooks;
import io.orrery.studio.password.Passwords;
import io.orrery.studio.people.ExternalSignInHandler;
import io.orrery.studio.people.PeopleHandler;
import io.orrery.studio.people.SignInHandler;
import io.orrery.studio.pipeline.EndedRuns;
import io.orrery.studio.pipeline.PipelineHandler;
import io.orrery.studio.pipeline.TemplateHandler;
import io.orrery.studio.project.ProjectHandler;
import io.orrery.studio.quota.QuotaHandler;
import io.orrery.studio.registry.ImageHandler;
import io.orrery.studio.registry.RegistryHandler;
import io.orrery.studio.retention.OldEntries;
import io.orrery.studio.retention.OldObjects;
import io.orrery.studio.retention.RetentionHandler;
import io.orrery.studio.retention.UnnamedFiles;
import io.orrery.studio.schedule.ScheduleTable;
import io.orrery.studio.secret.ProjectSecretHandler;
import io.orrery.studio.service.ServiceHandler;
import io.orrery.studio.service.ServiceNetwork;
import io.orrery.studio.tracking.TrackedFiles;
import io.orrery.studio.tracking.TrackingHandler;
import io.orrery.studio.usage.UsageHandler;
import io.orrery.studio.usage.UsageTable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that keeps people, projects, services, pipelines, models, tracked runs and the audit
 * log. It holds no state besides the store and the directory of artifacts: several servers may run
 * it at once.
 */
public final class StudioVerticle extends VerticleBase {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "studio",
          StudioVerticle.class,
          List.of(
              "0001-people-and-projects.sql",
              "0002-services.sql",
              "0003-models.sql",
              "0004-tracking.sql",
              "0005-pipelines.sql",
              "0006-external-ids.sql",
              "0007-revisions-of-members.sql",
              "0008-images-of-revisions.sql",
              "0009-kept-images.sql"));

  private static final Logger LOG = LoggerFactory.getLogger(StudioVerticle.class);

  private static final Duration SWEEP = Duration.ofHours(6);

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final RandomGenerator random;
  private final Path files;
  private final ServiceNetwork network;
  private final Map<QuotaResource, Long> limits;
  private final boolean mails;
  private final AuditTable audit;
  private @Nullable Passwords passwords;
  private @Nullable ServiceHandler services;
  private @Nullable ArtifactHandler artifacts;
  private @Nullable PipelineHandler pipelines;
  private @Nullable BuildHandler builds;
  private Clock.@Nullable Timer sweep;

  /** The same with the standard ports, and a server for mail. */
  public StudioVerticle(Bus bus, Store store, Clock clock, RandomGenerator random, Path files) {
    this(bus, store, clock, random, files, ServiceNetwork.STANDARD, Map.of(), true);
  }

  /**
   * @param random must be a cryptographic source
   * @param files the directory in which artifacts are kept; servers that work together share it
   * @param network where services are reached besides their hosts
   * @param limits of all projects together
   * @param mails whether this server sends alerts as mails
   */
  public StudioVerticle(
      Bus bus,
      Store store,
      Clock clock,
      RandomGenerator random,
      Path files,
      ServiceNetwork network,
      Map<QuotaResource, Long> limits,
      boolean mails) {
    this.mails = mails;
    this.network = network;
    this.limits = Map.copyOf(limits);
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.random = random;
    this.files = files;
    this.audit = new AuditTable(store, random);
  }

  @Override
  public Future<?> start() {
    return MIGRATIONS
        .apply(store)
        .compose(current -> DeploymentTable.MIGRATIONS.apply(store))
        .compose(current -> ServiceHandler.migrate(store))
        .compose(current -> ScheduleTable.MIGRATIONS.apply(store))
        .compose(current -> QuotaHandler.migrate(store))
        .compose(current -> UsageTable.MIGRATIONS.apply(store))
        .compose(current -> NotebookTable.MIGRATIONS.apply(store))
        .compose(current -> ProjectSecretHandler.migrate(store))
        .compose(current -> RegistryHandler.migrate(store))
        .compose(current -> BuildHandler.migrate(store))
        .compose(current -> RetentionHandler.migrate(store))
        .compose(current -> serve())
        .onSuccess(served -> sweep());
  }

  private Future<?> serve() {
    Passwords hashing = new Passwords(vertx, random);
    passwords = hashing;
    AuditedChanges changes = new AuditedChanges(store, bus, clock, audit);
    ServiceHandler serving = new ServiceHandler(bus, store, clock, changes, network);
    services = serving;
    ArtifactHandler keeping =
        new ArtifactHandler(vertx, bus, store, clock, random, files.resolve("artifacts"));
    artifacts = keeping;
    PipelineHandler pipelining = new PipelineHandler(bus, store, changes, random, mails);
    pipelines = pipelining;
    BuildHandler building = new BuildHandler(bus, store, changes);
    builds = building;
    QuotaHandler quotas = new QuotaHandler(bus, store, clock, limits);
    return Future.all(
        List.of(
            new PeopleHandler(bus, store, changes, NotebookShares::endPasses).serve(),
            new SignInHandler(bus, store, clock, changes, hashing).serve(),
            new ExternalSignInHandler(bus, store, changes).serve(),
            new ProjectHandler(bus, store, changes).serve(),
            serving.serve(),
            new DomainHandler(bus, store, changes).serve(),
            quotas.serve(),
            new UsageHandler(bus, store).serve(),
            new ProjectSecretHandler(bus, store, changes).serve(),
            new RegistryHandler(bus, store, changes).serve(),
            new ImageHandler(bus, store, changes).serve(),
            building.serve(),
            keeping.serve(),
            new ModelHandler(bus, store, changes, keeping, quotas).serve(),
            new TrackingHandler(bus, store, clock, changes, keeping::freshName).serve(),
            new TrackedFiles(bus, store, keeping, quotas).serve(),
            new TemplateHandler(bus, store, changes).serve(),
            pipelining.serve(),
            new ScheduleHandler(bus, store, changes).serve(),
            new RetentionHandler(bus, store, clock, changes, oldObjects(changes)).serve(),
            bus.serve(Audits.LIST, audit::page),
            bus.serve(
                Audits.ADD,
                added ->
                    store
                        .write(added.entries().stream().map(audit::insert).toList())
                        .map(new Done()))));
  }

  /** The objects of each kind that has a rule of retention. */
  private Map<Kind, OldObjects> oldObjects(AuditedChanges changes) {
    Form digests = new Form(EnvironmentName.DIGEST, EnvironmentName.DIGESTS);
    Form code = new Form(FetchedCode.MARK, FetchedCode.NAMES);
    return Map.of(
        Kind.NOTEBOOKS,
        new StoppedNotebooks(bus),
        Kind.BUILDS,
        new EndedBuilds(bus, store),
        Kind.IMAGES,
        new PushedImages(bus, store, changes),
        Kind.ENVIRONMENTS,
        new UnusedEnvironments(
            new UnnamedFiles(Kind.ENVIRONMENTS, bus, store, changes, digests), store),
        Kind.LAYERS,
        new UnnamedFiles(Kind.LAYERS, bus, store, changes, null),
        Kind.CODE,
        new UnnamedFiles(Kind.CODE, bus, store, changes, code),
        Kind.RUNS,
        new EndedRuns(bus, store),
        Kind.AUDIT,
        new OldEntries(store, audit));
  }

  private void sweep() {
    sweep =
        clock.after(
            SWEEP,
            () -> {
              dropUnusedCode();
              dropUnusedArtifacts();
              sweep();
            });
  }

  /** Has uploaded code forgotten that no document has, neither a present nor a kept one. */
  private void dropUnusedCode() {
    ServiceHandler ofServices = services;
    PipelineHandler ofPipelines = pipelines;
    BuildHandler ofBuilds = builds;
    if (ofServices == null || ofPipelines == null || ofBuilds == null) {
      return;
    }
    ofServices
        .usedCode()
        .compose(used ->
            ofPipelines
                .usedCode()
                .compose(others ->
                    ofBuilds
                        .usedCode()
                        .compose(uploads -> {
                          List<String> all = new ArrayList<>(used);
                          all.addAll(others);
                          all.addAll(uploads);
                          return bus.request(CodeBundles.KEEP, new CodeBundles.Keep(all));
                        })))
        .onFailure(failure ->
            LOG.warn("could not drop uploaded code that is not used: {}", failure.getMessage()));
  }

  private void dropUnusedArtifacts() {
    if (artifacts != null) {
      artifacts
          .sweep()
          .onFailure(failure ->
              LOG.warn("could not drop artifacts that are not used: {}", failure.getMessage()));
    }
  }

  @Override
  public Future<?> stop() {
    if (sweep != null) {
      sweep.cancel();
    }
    if (services != null) {
      services.close();
    }
    return passwords == null ? Future.succeededFuture() : passwords.close();
  }
}
