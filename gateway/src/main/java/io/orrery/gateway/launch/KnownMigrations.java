package io.orrery.gateway.launch;

import io.orrery.core.alert.AlertRows;
import io.orrery.core.lease.Membership;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.StoreRelease;
import io.orrery.metrics.store.ChunkTable;
import io.orrery.metrics.store.TableSegments;
import io.orrery.orchestrator.bundle.BundleTable;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.route.RouteLayerTable;
import io.orrery.orchestrator.run.RunTable;
import io.orrery.orchestrator.workload.WorkloadTable;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.build.BuildHandler;
import io.orrery.studio.deployment.DeploymentTable;
import io.orrery.studio.notebook.NotebookTable;
import io.orrery.studio.quota.QuotaTable;
import io.orrery.studio.registry.RegistryHandler;
import io.orrery.studio.retention.RetentionTable;
import io.orrery.studio.schedule.ScheduleTable;
import io.orrery.studio.secret.ProjectSecretHandler;
import io.orrery.studio.service.PortTable;
import io.orrery.studio.usage.UsageTable;
import java.util.List;

/** The migrations of this program, all of them, in an order in which they can be applied. */
final class KnownMigrations {
  /** Those of metrics lie in the database where it is shared, else in a file of their own. */
  static final List<Migrations> ALL =
      List.of(
          StudioVerticle.MIGRATIONS,
          AlertRows.MIGRATIONS,
          BuildHandler.MIGRATIONS,
          BundleTable.MIGRATIONS,
          ChunkTable.MIGRATIONS,
          DeploymentTable.MIGRATIONS,
          ExperimentTable.MIGRATIONS,
          Membership.MIGRATIONS,
          NotebookTable.MIGRATIONS,
          PortTable.MIGRATIONS,
          ProjectSecretHandler.MIGRATIONS,
          QuotaTable.MIGRATIONS,
          RegistryHandler.MIGRATIONS,
          RetentionTable.MIGRATIONS,
          RouteLayerTable.MIGRATIONS,
          RunTable.MIGRATIONS,
          ScheduleTable.MIGRATIONS,
          StoreRelease.MIGRATIONS,
          TableSegments.MIGRATIONS,
          UsageTable.MIGRATIONS,
          WorkloadTable.MIGRATIONS);

  private KnownMigrations() {}
}
