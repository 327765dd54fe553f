package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The API of the places where a person has files besides the directory on the server, {@code
 * /api/v1/file-places/<user>}: the claims of the person's notebooks that run in pods.
 */
final class FilePlaceApi implements Api {
  private static final int PAGE = 1000;

  private final Bus bus;

  public FilePlaceApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ApiRouter.V1 + "/file-places/:user", RouteNeed.STUDIO, this::list);
  }

  private Future<Reply> list(RoutingContext context) {
    String user = OwnFiles.user(context);
    return running(user, Callers.sees(context))
        .compose(names ->
            names.isEmpty()
                ? Future.succeededFuture(List.<WorkloadRef>of())
                : bus.request(
                        Shells.PODS,
                        new Shells.AskPods(names.stream().map(ClaimPods::workload).toList()))
                    .map(Shells.InPods::items))
        .map(pods -> {
          List<ObjectNode> places = new ArrayList<>();
          for (WorkloadRef pod : pods) {
            places.add(place(pod, Workspaces.shownAt(user).toString(), false));
            places.add(place(pod, Workspaces.archiveShownAt(user).toString(), true));
          }
          return Reply.ok(Pages.of(places, place -> place, null));
        });
  }

  private static ObjectNode place(WorkloadRef pod, String path, boolean archive) {
    return Json.MAPPER
        .createObjectNode()
        .put("notebook", pod.name())
        .put("path", path)
        .put("archive", archive);
  }

  /** The notebooks of a person that can be asked, wherever they run, in projects that are seen. */
  private Future<List<NotebookName>> running(String user, Predicate<ResourceOwner> sees) {
    List<NotebookName> names = new ArrayList<>();
    return AsyncLoop.pages(cursor ->
            bus.request(Notebooks.LIST, of(user, cursor))
                .map(page -> {
                  page.items().stream()
                      .filter(notebook -> notebook.owner().equals(user))
                      .filter(notebook ->
                          sees.test(new ResourceOwner(notebook.project(), notebook.owner())))
                      .filter(ClaimPods::isRunning)
                      .map(Notebook::name)
                      .forEach(names::add);
                  return page.next();
                }))
        .map(names);
  }

  private static Notebooks.ListNotebooks of(String user, @Nullable String cursor) {
    List<ProjectName> none = List.of();
    return new Notebooks.ListNotebooks(none, user, null, user, null, cursor, PAGE);
  }
}
