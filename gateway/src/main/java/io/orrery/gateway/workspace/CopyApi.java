package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.workspace.CopySource.Item;
import io.orrery.gateway.workspace.WorkspaceCopying.Copied;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The API that copies the files of a step, a trial or a version of a model into the directory of a
 * person, {@code POST /api/v1/files/<user>}, to be worked on in a notebook.
 */
public final class CopyApi implements Api {
  private static final String OPENED = "opened";
  private static final int MOST_BODY = 64 << 10;

  private final CopySources sources;
  private final WorkspaceStorage storage;
  private final WorkspaceCharges charges;
  private final RequestBody bodies;
  private final Map<Copy, Future<Copied>> underway = new HashMap<>();

  /** They wait for what comes from elsewhere. */
  private final FileWorkers workers = new FileWorkers("orrery-copies", 4, Duration.ofDays(1));

  CopyApi(
      CopySources sources, WorkspaceStorage storage, WorkspaceCharges charges, RequestBody bodies) {
    this.sources = sources;
    this.storage = storage;
    this.charges = charges;
    this.bodies = bodies;
  }

  /** A copy that is being made, for which all who ask for it wait. */
  private record Copy(WorkspacePath target, String source) {}

  @Override
  public void mount(ApiRouter router) {
    router.post(WorkspaceApi.ALL, RouteNeed.STUDIO, this::copy, "dryRun");
  }

  private Future<Reply> copy(RoutingContext context) {
    WorkspacePath root = new WorkspacePath(OwnFiles.user(context), List.of());
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MOST_BODY)
        .compose(text -> {
          CopyRequest request = CopyRequest.read(text);
          return sources
              .find(context, request.from())
              .compose(source -> copy(context, source, target(root, request, source), dryRun));
        });
  }

  private static WorkspacePath target(WorkspacePath root, CopyRequest request, CopySource source) {
    return request.to() == null
        ? root.with(OPENED).with(source.name())
        : WorkspacePath.read(root.user(), request.to());
  }

  /** A directory that is there is opened as it is: the person may have worked in it. */
  private Future<Reply> copy(
      RoutingContext context, CopySource source, WorkspacePath target, boolean dryRun) {
    return blocking(context, () -> storage.checkDirectory(target))
        .compose(isThere -> {
          if (isThere) {
            return Future.succeededFuture(Reply.ok(answer(target, false)));
          }
          return dryRun
              ? check(context, source, target)
              : once(context, source, target)
                  .map(copied -> Reply.status(201, answer(target, copied)));
        });
  }

  private Future<Reply> check(RoutingContext context, CopySource source, WorkspacePath target) {
    return blocking(
            context,
            () -> {
              storage.checkRoom(target, source.bytes());
              return true;
            })
        .recover(failure -> refused(source, failure))
        .map(fits -> Reply.ok(answer(target, false).put("bytes", source.bytes())));
  }

  private static ObjectNode answer(WorkspacePath target, boolean copied) {
    return Json.MAPPER.createObjectNode().put("path", target.toString()).put("copied", copied);
  }

  private static ObjectNode answer(WorkspacePath target, Copied copied) {
    return answer(target, true)
        .put("files", copied.files())
        .put("bytes", copied.bytes())
        .put("leftOut", copied.leftOut());
  }

  private Future<Copied> once(RoutingContext context, CopySource source, WorkspacePath target) {
    Copy copy = new Copy(target, source.description());
    Future<Copied> present = underway.get(copy);
    if (present != null) {
      return present;
    }
    Future<Copied> begun = copy(context, source, target);
    underway.put(copy, begun);
    return begun.onComplete(done -> underway.remove(copy));
  }

  private Future<Copied> copy(RoutingContext context, CopySource source, WorkspacePath target) {
    long bytes = source.bytes();
    return charges
        .begin(target, bytes, () -> used(context, target))
        .compose(charged ->
            blocking(context, () -> storage.copy(target, bytes))
                .recover(failure -> refused(source, failure))
                .compose(copying -> filled(context, source, copying))
                .eventually(charged::end));
  }

  private Future<Copied> filled(
      RoutingContext context, CopySource source, WorkspaceCopying copying) {
    return blocking(
            context,
            () -> {
              for (Item item : source.items()) {
                copying.take(item);
              }
              return copying.commit();
            })
        .recover(failure ->
            blocking(
                    context,
                    () -> {
                      copying.abort();
                      return true;
                    })
                .transform(aborted -> Future.failedFuture(failure)));
  }

  private static <T> Future<T> refused(CopySource source, Throwable failure) {
    return Problem.of(failure) instanceof Problem.TooLarge(String detail)
        ? Future.failedFuture(
            new Problem.TooLarge(
                    "%s has %,d bytes. %s".formatted(source.description(), source.bytes(), detail))
                .toException())
        : Future.failedFuture(failure);
  }

  private Future<Long> used(RoutingContext context, WorkspacePath path) {
    return blocking(context, () -> storage.used(path).bytes());
  }

  private <T> Future<T> blocking(RoutingContext context, Callable<T> work) {
    return workers.run(context, work);
  }
}
