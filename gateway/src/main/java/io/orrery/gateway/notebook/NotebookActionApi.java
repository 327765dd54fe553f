package io.orrery.gateway.notebook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Notebooks.OfNotebook;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.service.ShellSocket;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Comparator;

/** The API that starts, stops and enters notebooks, and tells what their programs wrote. */
final class NotebookActionApi implements Api {
  private final Bus bus;
  private final NotebookShape shape;
  private final OriginPasses passes;
  private final Clock clock;
  private final LogStreams streams;

  public NotebookActionApi(
      Bus bus, RouterAddress router, OriginPasses passes, Clock clock, LogStreams streams) {
    this.bus = bus;
    this.shape = new NotebookShape(router);
    this.passes = passes;
    this.clock = clock;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        NotebookApi.ONE + "/start",
        RouteNeed.STUDIO,
        context -> act(context, Notebooks.START),
        "dryRun");
    router.post(
        NotebookApi.ONE + "/stop",
        RouteNeed.STUDIO,
        context -> act(context, Notebooks.STOP),
        "dryRun");
    router.post(
        NotebookApi.ONE + "/reset",
        RouteNeed.STUDIO,
        context -> act(context, Notebooks.RESET),
        "dryRun");
    router.post(
        NotebookApi.ONE + "/renew",
        RouteNeed.STUDIO,
        context -> act(context, Notebooks.RENEW),
        "dryRun");
    router.get(NotebookApi.ONE + "/enter", RouteNeed.STUDIO, this::enter, "follow", "open");
    router.webSocketLater(NotebookApi.ONE + "/ssh", RouteNeed.STUDIO, this::ssh);
    router.stream(
        NotebookApi.ONE + "/logs", RouteNeed.STUDIO, this::logs, "previous", "offset", "follow");
  }

  private Future<Reply> act(RoutingContext context, Address<OfNotebook, Notebook> address) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return NotebookApi.allowed(bus, context, Need.OPERATE)
        .compose(notebook ->
            dryRun
                ? Future.succeededFuture(notebook)
                : bus.request(address, new OfNotebook(Callers.actor(context), notebook.name())))
        .map(changed -> Reply.ok(shape.of(changed)));
  }

  /**
   * Sends the owner, and those it is shared with, to the notebook's own origin, with a ticket. An
   * administrator is not among them: what runs there runs as its owner.
   */
  private Future<Reply> enter(RoutingContext context) {
    Query query = Query.of(context);
    boolean follows = !"false".equals(query.text("follow"));
    String open = query.text("open");
    return NotebookApi.seen(bus, context)
        .compose(notebook -> {
          requireEntry(Callers.of(context), notebook);
          requireRunning(notebook);
          Future<String> page =
              open == null
                  ? Future.succeededFuture("")
                  : new NotebookPages(bus).of(notebook, workload(notebook.name()), open);
          return page.map(path -> entered(context, notebook, path, follows));
        });
  }

  private static void requireEntry(Caller caller, Notebook notebook) {
    if (!NotebookApi.isPersonal(caller, notebook)) {
      throw new Problem.Forbidden(
              "%s may not enter notebook %s: it belongs to %s, who may share it."
                  .formatted(caller.name(), notebook.name(), notebook.owner()))
          .toException();
    }
    if (caller.readsOnly()) {
      throw new Problem.Forbidden(
              "%s may look, but not enter notebook %s.".formatted(caller.name(), notebook.name()))
          .toException();
    }
  }

  /**
   * Connects those who may enter a notebook to its SSH server, which asks for a key of the
   * document.
   */
  private Future<Handler<ServerWebSocket>> ssh(RoutingContext context) {
    Actor by = Callers.actor(context);
    return NotebookApi.seen(bus, context)
        .compose(notebook -> {
          requireEntry(Callers.of(context), notebook);
          if (Json.parse(notebook.document()).path("ssh").isEmpty()) {
            throw new Problem.Conflict(
                    "Notebook %s has no SSH: write your public key into its document, as in ssh: [ssh-ed25519 AAAA…], and reset it."
                        .formatted(notebook.name()))
                .toException();
          }
          requireRunning(notebook);
          return bus.request(Workloads.GET, new Workloads.Get(workload(notebook.name())));
        })
        .map(workload -> {
          ReplicaRef replica = last(workload);
          Caller caller = Callers.of(context);
          NotebookName name = NotebookApi.name(context);
          return socket -> {
            new ShellSocket(bus, socket)
                .open(new Shells.OpenShell(replica, TerminalSize.USUAL, by, "ssh"));
            new EntryWatch(bus, clock, name, now -> NotebookApi.isPersonal(caller, now), socket)
                .start();
          };
        });
  }

  private static void requireRunning(Notebook notebook) {
    switch (notebook.state().status()) {
      case RUNNING, IDLE -> {}
      case STOPPED, WAITING, STARTING, STOPPING, FAILED, UNREACHABLE ->
          throw new Problem.Conflict(
                  "Notebook %s is %s%s: it can be entered when it is RUNNING."
                      .formatted(
                          notebook.name(),
                          notebook.state().status(),
                          notebook.state().reason() == null
                              ? ""
                              : " (" + notebook.state().reason() + ")"))
              .toException();
    }
  }

  /**
   * Makes the answer with a ticket.
   *
   * @param page the path in the origin of the notebook; empty for its first one
   */
  private Reply entered(RoutingContext context, Notebook notebook, String page, boolean follows) {
    Instant now = clock.now();
    String url =
        shape.url(notebook.name())
            + page
            + (page.contains("?") ? "&ticket=" : "?ticket=")
            + passes.ticket(notebook.audience(), notebook.epoch(), now);
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("url", url)
            .put("expiresAt", now.plus(OriginPasses.TICKET).toString());
    if (!follows) {
      return Reply.ok(body);
    }
    context.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    return new Reply(303, null, url);
  }

  private void logs(RoutingContext context) {
    boolean previous = Query.of(context).flag("previous");
    NotebookApi.seen(bus, context)
        .compose(
            notebook -> bus.request(Workloads.GET, new Workloads.Get(workload(notebook.name()))))
        .map(NotebookActionApi::last)
        .onSuccess(replica ->
            streams.send(
                context,
                (offset, limit) ->
                    bus.request(
                        Workloads.READ_LOG,
                        new Workloads.ReadLog(replica, previous, offset, limit))))
        .onFailure(context::fail);
  }

  private static WorkloadRef workload(NotebookName name) {
    return new WorkloadRef(WorkloadKind.NOTEBOOK, name.value());
  }

  private static ReplicaRef last(Workloads.Workload workload) {
    return workload.replicas().stream()
        .map(Replica::ref)
        .max(Comparator.naturalOrder())
        .orElseThrow(() ->
            new Problem.NotFound(
                    "Notebook %s has no program now.".formatted(workload.workload().name()))
                .toException());
  }
}
