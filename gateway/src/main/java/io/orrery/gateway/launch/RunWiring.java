package io.orrery.gateway.launch;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Store;
import io.orrery.gateway.cluster.LeasedDuty;
import io.orrery.orchestrator.alert.AlertSender;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.project.EnvironmentFreezer;
import io.orrery.orchestrator.run.RunOwner;
import io.orrery.orchestrator.run.StepServices;
import io.orrery.studio.due.DueRunController;
import java.util.List;
import java.util.Map;

/** The duties about runs of pipelines that one server at a time has. */
final class RunWiring {
  private RunWiring() {}

  /** Takes the duties, or waits for them; the caller closes them. */
  static List<LeasedDuty> open(
      Ground ground, Store store, Leases leases, Orchestration orchestration, String called) {
    LeasedDuty runs = runs(ground, store, leases, orchestration, called);
    Ground.finish(runs.open(), "the runs");
    LeasedDuty schedules = schedules(ground, store, leases);
    Ground.finish(schedules.open(), "the schedules");
    LeasedDuty alerts = alerts(ground, store, leases, called);
    Ground.finish(alerts.open(), "the alerts");
    return List.of(alerts, schedules, runs);
  }

  /** Creates the due runs of schedules and submits them. */
  private static LeasedDuty schedules(Ground ground, Store store, Leases leases) {
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "schedules",
        lease ->
            new DueRunController(
                ground.bus().entitledBy(lease::held), lease.fencing(store), ground.clock()));
  }

  /** Sends alerts about runs. */
  private static LeasedDuty alerts(Ground ground, Store store, Leases leases, String called) {
    AlertConfig config = ground.config().alerts();
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "alerts",
        lease ->
            new AlertSender(
                ground.bus().entitledBy(lease::held),
                lease.fencing(store),
                ground.clock(),
                ground.random(),
                Orchestration.secrets(ground),
                address -> AlertKeys.contain(config.networks(), address),
                new AlertSender.Mailing(
                    config.mail(), new SecretBox(ground.files(), System.getenv()), called)));
  }

  /** Reads the training services of tasks. */
  private static StepServices services(Ground ground, Orchestration orchestration) {
    return new StepServices(
        ground.vertx(),
        ground.clock(),
        orchestration.platforms(),
        Orchestration.secrets(ground),
        new SecretBox(ground.files(), System.getenv()),
        Orchestration.defaults(ground, orchestration.platforms()),
        new EnvironmentFreezer(ground.vertx(), ground.bus(), orchestration.platforms()),
        ground.files(),
        ground.config().users() ? ground.sandbox()::shows : null);
  }

  /** Owns the runs of pipelines. */
  private static LeasedDuty runs(
      Ground ground, Store store, Leases leases, Orchestration orchestration, String called) {
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "runs",
        lease ->
            new RunOwner(
                ground.bus().entitledBy(lease::held),
                lease.fencing(store),
                ground.clock(),
                orchestration.platforms(),
                new BundleFolder(ground.vertx(), store, ground.home().path()),
                ground.files(),
                Map.of(
                    "KFJ_MODEL_REPO_API_URL",
                    called,
                    "K8S_NODE_NAME",
                    HomeDirectory.machine(),
                    "K8S_HOST_IP",
                    "127.0.0.1",
                    "K8S_POD_IP",
                    "127.0.0.1"),
                lease,
                orchestration.tenures(),
                services(ground, orchestration),
                ground.config().artifacts(),
                GitKeys.checkouts(ground)));
  }
}
