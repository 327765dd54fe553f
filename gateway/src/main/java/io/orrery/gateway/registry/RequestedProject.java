package io.orrery.gateway.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Reads the project of a request: of its body, or else of its query. */
final class RequestedProject {
  private static final int MOST = 100;

  private RequestedProject() {}

  /** The project; null when none is named. */
  static @Nullable ProjectName of(RoutingContext context, Fields fields) {
    String written = fields.text("project", MOST);
    if (written == null) {
      return Query.of(context).read("project", ProjectAccess::named);
    }
    if (!ProjectName.valid(written)) {
      fields.wrong("project", "'" + written + "' is no name of a project");
      return null;
    }
    return new ProjectName(written);
  }
}
