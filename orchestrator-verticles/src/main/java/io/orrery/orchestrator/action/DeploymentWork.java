package io.orrery.orchestrator.action;

import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.bus.contract.Services.Stage;
import io.orrery.core.bus.contract.Services.Upgrading;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.StepWork;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.WorkloadStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys a service and waits until it is ready. A service that this attempt has created is deleted
 * when the attempt is ended before that.
 */
final class DeploymentWork implements ServerWork {
  private static final Logger LOG = LoggerFactory.getLogger(DeploymentWork.class);
  private static final Duration LOOK = Duration.ofMillis(500);

  /** A program that ends is started again, so a failure may pass. */
  private static final Duration FAILED_FOR = Duration.ofSeconds(20);

  private final WorkContext context;
  private final StepWork.Deployment wanted;
  private final Promise<Map<String, String>> over = Promise.promise();
  private boolean canceled;
  private boolean left;

  DeploymentWork(WorkContext context, StepWork.Deployment wanted) {
    this.context = context;
    this.wanted = wanted;
  }

  @Override
  public Future<Map<String, String>> start() {
    Future<?> deployed = canceled ? Future.succeededFuture() : deploy();
    deployed.onSuccess(done -> look()).onFailure(over::tryFail);
    return over.future();
  }

  private Future<?> deploy() {
    return context
        .bus()
        .request(Services.GET, new Services.GetService(wanted.service()))
        .map(found -> {
          context.checkMayChange("service " + wanted.service(), found.project(), found.owner());
          return false;
        })
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(true)
                : Future.failedFuture(failure))
        .compose(creates ->
            context
                .bus()
                .request(
                    Services.PUT,
                    new Services.PutService(
                        context.actor(),
                        wanted.service(),
                        context.project(),
                        wanted.document(),
                        creates,
                        null,
                        false,
                        List.of())))
        // The same document may name an alias that points elsewhere by now.
        .compose(
            done -> done.outcome() == Outcome.UNCHANGED ? redeploy() : Future.succeededFuture());
  }

  private Future<?> redeploy() {
    return context
        .bus()
        .request(
            Services.DEPLOY,
            new Services.OfStage(context.actor(), wanted.service(), ServiceStage.PRODUCTION));
  }

  private void look() {
    if (left) {
      return;
    }
    context
        .bus()
        .request(Services.GET, new Services.GetService(wanted.service()))
        .onSuccess(this::judge)
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.NotFound) {
            over.tryFail(failure);
          } else {
            lookAgain();
          }
        });
  }

  private void judge(Service service) {
    Stage stage =
        service.stages().stream()
            .filter(each -> each.stage() == ServiceStage.PRODUCTION)
            .findFirst()
            .orElse(null);
    Workload workload = stage == null ? null : stage.workload();
    if (canceled) {
      withdraw(service);
    } else if (stage == null) {
      over.tryFail(
          new Problem.Conflict(
                  "service %s is not deployed: its document says stage: none"
                      .formatted(wanted.service()))
              .toException());
    } else if (isRolledBack(service, stage)) {
      over.tryFail(
          new Problem.Conflict(
                  "service %s was rolled back to revision %d: %s"
                      .formatted(wanted.service(), stage.revision(), reason(service)))
              .toException());
    } else if (workload == null || workload.generation() < stage.generation()) {
      lookAgain();
    } else if (ready(workload, stage).size() >= stage.replicas()) {
      over.tryComplete(
          Map.of(
              "service", wanted.service().value(), "endpoint", endpoint(ready(workload, stage))));
    } else if (workload.status() == WorkloadStatus.FAILED
        && workload.since().isBefore(context.clock().now().minus(FAILED_FOR))) {
      String reason = workload.reason();
      over.tryFail(
          new Problem.Conflict(
                  "service %s does not get ready: %s"
                      .formatted(wanted.service(), reason == null ? "it is FAILED" : reason))
              .toException());
    } else {
      lookAgain();
    }
  }

  /** Whether the revision before was deployed again. */
  private static boolean isRolledBack(Service service, Stage stage) {
    Upgrading upgrade = service.upgrade();
    return upgrade != null
        && upgrade.rollout().state() == RolloutState.ROLLED_BACK
        && stage.revision() < service.revision();
  }

  private static String reason(Service service) {
    Upgrading upgrade = service.upgrade();
    return upgrade == null ? "" : String.valueOf(upgrade.rollout().reason());
  }

  /** The replicas of what is deployed now that are ready: older ones may still serve. */
  private static List<Replica> ready(Workload workload, Stage stage) {
    return workload.replicas().stream()
        .filter(replica -> replica.ref().generation() == stage.generation())
        .filter(replica -> replica.phase().isReady())
        .toList();
  }

  private static String endpoint(List<Replica> ready) {
    return ready.stream()
        .map(Replica::endpoints)
        .flatMap(endpoints -> endpoints.values().stream())
        .findFirst()
        .orElse("");
  }

  private void lookAgain() {
    if (!left) {
      context.clock().after(LOOK, this::look);
    }
  }

  @Override
  public void leave() {
    left = true;
  }

  @Override
  public void cancel() {
    canceled = true;
  }

  /** Gives up, and deletes a service that this attempt has created. */
  private void withdraw(Service service) {
    boolean created =
        service.revision() == 1
            && service.owner().equals(context.runner())
            && !service.createdAt().isBefore(context.begun());
    Future<?> gone =
        created
            ? context
                .bus()
                .request(Services.DELETE, new Services.OfService(context.actor(), wanted.service()))
            : Future.succeededFuture();
    gone.onFailure(failure ->
            LOG.warn("could not delete service {}: {}", wanted.service(), failure.getMessage()))
        .onComplete(
            done -> over.tryFail(new Problem.Conflict("the deployment was stopped").toException()));
  }
}
