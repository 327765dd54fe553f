package io.orrery.gateway.project;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.Callers;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The projects that a request may create in, or list from. */
public final class ProjectAccess {
  private final Bus bus;

  public ProjectAccess(Bus bus) {
    this.bus = bus;
  }

  /** Reads the name of a project from a query parameter. */
  public static ProjectName named(String text) {
    if (!ProjectName.valid(text)) {
      throw new Problem.Refused(
              new Finding("", "a project's name has 1 to 50 lower-case letters, digits and -"))
          .toException();
    }
    return new ProjectName(text);
  }

  /**
   * The ownership of an object that the caller creates; fails with NotFound for a project that does
   * not exist or is hidden, with Forbidden where the caller may not create.
   *
   * @param wanted null for {@code public}
   */
  public Future<ResourceOwner> forCreation(RoutingContext context, @Nullable ProjectName wanted) {
    ProjectName project = Objects.requireNonNullElse(wanted, ProjectName.PUBLIC);
    Caller caller = Callers.of(context);
    ResourceOwner owned = new ResourceOwner(project, caller.name());
    Callers.require(caller, Need.CREATE, owned, "project '" + project + "'");
    return project.equals(ProjectName.PUBLIC)
        ? Future.succeededFuture(owned)
        : bus.request(Projects.GET, new Projects.GetProject(project)).map(owned);
  }

  /**
   * The projects of a list: the one that is asked for, as far as the caller sees it.
   *
   * @return null for all
   */
  public static @Nullable List<ProjectName> among(
      RoutingContext context, @Nullable ProjectName wanted) {
    List<ProjectName> visible = Callers.visible(context);
    if (wanted == null) {
      return visible;
    }
    return visible == null || visible.contains(wanted) ? List.of(wanted) : List.of();
  }
}
