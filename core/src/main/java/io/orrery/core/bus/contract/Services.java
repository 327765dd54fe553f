package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Domains.Rollout;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about services; the studio answers. */
public final class Services {
  /** The most characters of a document. */
  public static final int MOST_CHARACTERS = 100_000;

  /** The most replicas of a stage. */
  public static final int MOST_REPLICAS = 1_000;

  /** The most decisions about the number of replicas that are kept for each service. */
  public static final int KEPT_SCALINGS = 200;

  /** The number of old documents that are kept for each service. */
  public static final int KEPT_REVISIONS = 50;

  public static final Address<ListServices, ServicePage> LIST =
      new Address<>("services.list", ListServices.class, ServicePage.class);

  public static final Address<GetService, Service> GET =
      new Address<>("services.get", GetService.class, Service.class);

  /**
   * Creates a service or changes its document, and deploys it at the stage that the document says.
   * Refused with all findings.
   */
  public static final Address<PutService, PutDone> PUT =
      new Address<>("services.put", PutService.class, PutDone.class).waiting(Address.LONG);

  /** Ends all stages of a service and forgets it. */
  public static final Address<OfService, Done> DELETE =
      new Address<>("services.delete", OfService.class, Done.class);

  /** Deploys the present document at a stage; the replicas before it serve until it is ready. */
  public static final Address<OfStage, Service> DEPLOY =
      new Address<>("services.deploy", OfStage.class, Service.class).waiting(Address.LONG);

  /** Ends the replicas of a stage. */
  public static final Address<OfStage, Service> CLEAR =
      new Address<>("services.clear", OfStage.class, Service.class);

  /** Replaces all replicas of a stage by new ones, as at a deployment. */
  public static final Address<OfStage, Service> RESTART =
      new Address<>("services.restart", OfStage.class, Service.class);

  public static final Address<Scale, Service> SCALE =
      new Address<>("services.scale", Scale.class, Service.class);

  /** Scales production by a decision of the server; Conflict when the number is another by now. */
  public static final Address<AutoScale, Done> AUTOSCALE =
      new Address<>("services.autoscale", AutoScale.class, Done.class);

  /** Steers the upgrade in production; Conflict when there is none that it could steer. */
  public static final Address<SteerUpgrade, Service> STEER =
      new Address<>("services.steer", SteerUpgrade.class, Service.class);

  /**
   * Changes the share of an upgrade by a decision of the server; Conflict when another generation
   * is deployed by now.
   */
  public static final Address<ShareUpgrade, Done> SHARE =
      new Address<>("services.share", ShareUpgrade.class, Done.class);

  /**
   * Deploys what was deployed before an upgrade again, as the next generation; Conflict when
   * another generation is deployed by now.
   */
  public static final Address<RevertUpgrade, Done> REVERT =
      new Address<>("services.revert", RevertUpgrade.class, Done.class);

  /** The last decisions about the number of replicas in production, newest first. */
  public static final Address<ScalingsOf, Scalings> SCALINGS =
      new Address<>("services.scalings", ScalingsOf.class, Scalings.class);

  /** The documents that a service had, newest first. */
  public static final Address<RevisionsOf, Revisions> REVISIONS =
      new Address<>("services.revisions", RevisionsOf.class, Revisions.class);

  private Services() {}

  /**
   * A service.
   *
   * @param document as it was written, a JSON object
   * @param stages where it is deployed
   * @param rollout of the domain that it shares; null when it has none
   * @param upgrade the last one in production; null when there was none since it was deployed
   */
  public record Service(
      ServiceName name,
      ProjectName project,
      String owner,
      String document,
      Instant createdAt,
      Instant changedAt,
      long revision,
      List<Stage> stages,
      @Nullable Rollout rollout,
      @Nullable Upgrading upgrade) {
    public Service {
      stages = List.copyOf(stages);
    }
  }

  /**
   * A rollout by which a generation of a service takes over from an earlier one.
   *
   * @param generation that takes over
   * @param from the one that is replaced
   * @param open whether something is still to be done about it
   */
  public record Upgrading(long generation, long from, Rollout rollout, boolean open) {}

  /**
   * A deployment.
   *
   * @param revision of the document that is deployed
   * @param workload null while its owner has not heard of it
   * @param exposed its ports that are reached by an address and a number
   * @param image by its digest, which it took from a build; null when its document names no build
   */
  public record Stage(
      ServiceStage stage,
      long generation,
      long revision,
      int replicas,
      Instant deployedAt,
      @Nullable Workload workload,
      List<Exposed> exposed,
      @Nullable String image) {
    public Stage {
      exposed = List.copyOf(exposed);
    }
  }

  /**
   * A port that is reached by an address and a number.
   *
   * @param target the port of the document
   * @param number under which it is reached
   * @param hosts that links show; empty for the address of the router
   */
  public record Exposed(int target, int number, List<String> hosts) {
    public Exposed {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * A request for a page of services.
   *
   * @param among the projects whose services may be seen; null for all
   * @param text null, or what the name contains
   */
  public record ListServices(
      @Nullable List<ProjectName> among,
      @Nullable String owner,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListServices {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of services.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record ServicePage(List<Service> items, @Nullable String next) {
    public ServicePage {
      items = List.copyOf(items);
    }
  }

  public record GetService(ServiceName name) {}

  /**
   * A request to create or change a service.
   *
   * @param project of a new service
   * @param document a JSON object
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   * @param together services that count as there at a dry run, since they come with it
   * @param again the revision that the document is of, with whose image it is deployed; null for a
   *     new document
   */
  public record PutService(
      Actor by,
      ServiceName name,
      ProjectName project,
      String document,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun,
      List<ServiceName> together,
      @Nullable Long again) {
    public PutService {
      together = List.copyOf(together);
    }

    /** One with a new document. */
    public PutService(
        Actor by,
        ServiceName name,
        ProjectName project,
        String document,
        boolean creates,
        @Nullable Long ifRevision,
        boolean dryRun,
        List<ServiceName> together) {
      this(by, name, project, document, creates, ifRevision, dryRun, together, null);
    }

    /** Nothing of the document, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "PutService[" + name + "]";
    }
  }

  /** The difference that a change made. */
  public enum Outcome {
    CREATED,
    CHANGED,
    UNCHANGED
  }

  /**
   * The answer to {@link PutService}.
   *
   * @param service null after a dry run of a new one
   * @param notices sentences about a document that is accepted
   */
  public record PutDone(@Nullable Service service, Outcome outcome, List<String> notices) {
    public PutDone {
      notices = List.copyOf(notices);
    }
  }

  public record OfService(Actor by, ServiceName name) {}

  public record OfStage(Actor by, ServiceName name, ServiceStage stage) {}

  /**
   * A request for another number of replicas.
   *
   * @param replicas 0 to {@link #MOST_REPLICAS}
   */
  public record Scale(Actor by, ServiceName name, ServiceStage stage, int replicas) {}

  /**
   * A decision about the number of replicas.
   *
   * @param before the number that it was made from
   * @param reason a sentence
   */
  public record AutoScale(ServiceName name, int before, int after, String reason) {}

  public record SteerUpgrade(Actor by, ServiceName name, Domains.Action action) {}

  /**
   * A decision about the share of an upgrade.
   *
   * @param generation that takes over
   * @param percent of the requests; null when it replaces the earlier one
   */
  public record ShareUpgrade(ServiceName name, long generation, @Nullable Integer percent) {}

  /**
   * A decision to go back.
   *
   * @param generation that was to take over
   */
  public record RevertUpgrade(ServiceName name, long generation) {}

  public record ScalingsOf(ServiceName name) {}

  /** A decision about the number of replicas, by the server or by a person. */
  public record Scaling(Instant at, int before, int after, String reason) {}

  public record Scalings(List<Scaling> items) {
    public Scalings {
      items = List.copyOf(items);
    }
  }

  public record RevisionsOf(ServiceName name) {}

  /** A document that a service had. */
  public record Revision(long revision, Instant at, String by, String document) {}

  public record Revisions(List<Revision> items) {
    public Revisions {
      items = List.copyOf(items);
    }
  }
}
