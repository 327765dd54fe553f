package io.orrery.gateway.service;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The API of uploaded code, {@code /api/v1/code/<digest>}: a gzip stream of a tar stream with this
 * SHA-256. What is there already need not be sent.
 */
final class CodeApi implements Api {
  private static final String ONE = ApiRouter.V1 + "/code/:digest";

  private final Bus bus;
  private final RequestBody bodies;

  public CodeApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ONE, RouteNeed.CALLER, this::find);
    router.put(ONE, RouteNeed.CALLER, this::put);
  }

  private Future<Reply> find(RoutingContext context) {
    String digest = context.pathParam("digest");
    return bus.request(CodeBundles.FIND, new CodeBundles.Find(digest))
        .map(found -> {
          if (!found.there()) {
            throw new Problem.NotFound("There is no uploaded code sha256:" + digest + ".")
                .toException();
          }
          return Reply.empty(204);
        });
  }

  private Future<Reply> put(RoutingContext context) {
    String digest = context.pathParam("digest");
    String upload = UUID.randomUUID().toString();
    return bodies
        .bytes(context.request(), CodeBundles.MOST_BYTES)
        .compose(bytes ->
            send(upload, bytes)
                .compose(sent ->
                    bus.request(
                        CodeBundles.COMMIT, new CodeBundles.Commit(upload, digest, parts(bytes)))))
        .map(Reply.empty(204));
  }

  private static int parts(Buffer bytes) {
    return (bytes.length() + CodeBundles.PART - 1) / CodeBundles.PART;
  }

  /** Sends the parts one after the other. */
  private Future<Void> send(String upload, Buffer bytes) {
    return AsyncLoop.inTurn(
        IntStream.range(0, parts(bytes)).boxed().toList(),
        number -> {
          int from = number * CodeBundles.PART;
          byte[] part = bytes.getBytes(from, Math.min(bytes.length(), from + CodeBundles.PART));
          return bus.request(CodeBundles.ADD_PART, new CodeBundles.AddPart(upload, number, part));
        });
  }
}
