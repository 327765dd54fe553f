package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.StreamedBody;
import io.orrery.gateway.workspace.WorkspaceEntry.Kind;
import io.orrery.gateway.workspace.WorkspaceStorage.Opened;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The API of the files of a person, {@code /api/v1/files/<user>/…}: lists, downloads, uploads,
 * moves and deletes, on the server or in the claims of a notebook that runs in a pod. No other user
 * sees a person's files, not even an administrator.
 */
final class WorkspaceApi implements Api {
  static final String ALL = ApiRouter.V1 + "/files/:user";
  private static final String ONE = ALL + "/*";
  private static final int PART = 1 << 20;
  private static final int PIECE = 256 << 10;
  private static final int MOST_BODY = 64 << 10;
  private static final int MOST_TEXT = 3000;

  private final WorkspaceStorage storage;
  private final WorkspaceCharges charges;
  private final StreamedBody streams;
  private final RequestBody bodies;
  private final Clock clock;
  private final Duration patience;
  private final long most;
  private final ClaimReading claims;
  private final ClaimChanges claimChanges;

  /** Counting the files of a person may take long. */
  private final FileWorkers workers = new FileWorkers("orrery-files", 8, Duration.ofMinutes(1));

  /**
   * @param most bytes that a person's files may have
   * @param patience how long a client may send or read nothing
   * @param random of the names of files that are being uploaded
   */
  public WorkspaceApi(
      Bus bus,
      Workspaces workspaces,
      long most,
      RequestBody bodies,
      Clock clock,
      Duration patience,
      RandomGenerator random) {
    this.storage = new WorkspaceStorage(workspaces, most, clock, random);
    this.charges = new WorkspaceCharges(bus, clock, random);
    this.streams = new StreamedBody(bodies, clock, patience, PART);
    this.bodies = bodies;
    this.clock = clock;
    this.patience = patience;
    this.most = most;
    ClaimPods pods = new ClaimPods(bus);
    this.claims = new ClaimReading(pods, clock, patience);
    this.claimChanges = new ClaimChanges(pods, bodies, clock, patience, random);
  }

  /** The API that copies what else a person may read into the same files. */
  public CopyApi copies(Bus bus, Ownerships experiments) {
    return new CopyApi(new CopySources(bus, experiments), storage, charges, bodies);
  }

  @Override
  public void mount(ApiRouter router) {
    String notebook = ClaimPath.NOTEBOOK;
    String archive = ClaimPath.ARCHIVE;
    router.get(ALL, RouteNeed.STUDIO, this::root, "cursor", "limit", notebook, archive);
    router.stream(ONE, RouteNeed.STUDIO, this::read, "stat", "cursor", "limit", notebook, archive);
    router.put(ONE, RouteNeed.STUDIO, this::put, "kind", "dryRun", notebook, archive);
    router.post(ONE, RouteNeed.STUDIO, this::move, "dryRun", notebook, archive);
    router.delete(ONE, RouteNeed.STUDIO, this::delete, "recursive", notebook, archive);
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<Reply> root(RoutingContext context) {
    WorkspacePath path = new WorkspacePath(OwnFiles.user(context), List.of());
    Query query = Query.of(context);
    String cursor = query.text("cursor");
    int limit = Pages.limit(query);
    ClaimPath claim = ClaimPath.asked(query, path);
    if (claim != null) {
      return claims.list(context, claim, cursor, limit).map(Reply::ok);
    }
    return blocking(context, () -> listed(path, cursor, limit))
        .onSuccess(listed -> charges.recount(path, () -> used(context, path)))
        .map(Reply::ok);
  }

  private void read(RoutingContext context) {
    WorkspacePath path = OwnFiles.path(context);
    Query query = Query.of(context);
    boolean stat = query.flag("stat");
    String cursor = query.text("cursor");
    int limit = Pages.limit(query);
    ClaimPath claim = ClaimPath.asked(query, path);
    if (claim != null) {
      (stat ? claims.stat(context, claim) : claims.read(context, claim, cursor, limit))
          .onFailure(context::fail);
      return;
    }
    blocking(context, () -> storage.entry(path))
        .compose(entry -> {
          if (stat) {
            context.response().putHeader(HttpHeaders.ETAG, entry.tag());
            return answer(context, entry.json());
          }
          return entry.kind() == Kind.DIRECTORY
              ? blocking(context, () -> listed(path, cursor, limit))
                  .compose(json -> answer(context, json))
              : blocking(context, () -> storage.open(path, entry))
                  .compose(opened -> send(context, opened));
        })
        .onFailure(context::fail);
  }

  private ObjectNode listed(WorkspacePath path, @Nullable String cursor, int limit) {
    WorkspaceStorage.Listing listing = storage.list(path, cursor, limit);
    ObjectNode page = Pages.of(listing.entries(), WorkspaceEntry::json, listing.next());
    page.put("path", path.toString());
    if (path.isRoot()) {
      WorkspaceStorage.Used used = storage.used(path);
      page.put("usedBytes", used.bytes()).put("quotaBytes", used.most());
    }
    return page;
  }

  private static Future<Void> answer(RoutingContext context, ObjectNode json) {
    return context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(json.toString());
  }

  /** Sends a file as a download. */
  private Future<Void> send(RoutingContext context, Opened opened) {
    HttpServerResponse response = context.response();
    FileDownload asked = FileDownload.asked(context, opened.entry());
    if (asked.isOutside()) {
      asked.head(response);
      return closing(context, opened.content(), response.end());
    }
    Outflow out = new Outflow(response, clock, patience, () -> {});
    asked.head(response.setChunked(false));
    return closing(context, opened.content(), pass(context, opened.content(), asked.part(), out));
  }

  private <T> Future<T> closing(RoutingContext context, FileChannel content, Future<T> sent) {
    return sent.eventually(() ->
        blocking(
            context,
            () -> {
              content.close();
              return true;
            }));
  }

  private Future<Void> pass(
      RoutingContext context, FileChannel content, ByteRange whole, Outflow out) {
    return AsyncLoop.iterate(
            whole,
            rest ->
                rest.length() == 0
                    ? Future.succeededFuture(Optional.empty())
                    : blocking(context, () -> piece(content, rest))
                        .compose(piece ->
                            out.write(Buffer.buffer(piece))
                                .map(
                                    Optional.of(
                                        new ByteRange(rest.start() + piece.length, rest.end())))))
        .onSuccess(sent -> out.end());
  }

  private static byte[] piece(FileChannel content, ByteRange rest) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, rest.length()));
    if (content.read(piece, rest.start()) <= 0) {
      throw new IOException("the file became shorter while it was read");
    }
    byte[] bytes = new byte[piece.position()];
    piece.flip().get(bytes);
    return bytes;
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Reply> put(RoutingContext context) {
    WorkspacePath path = OwnFiles.path(context);
    Query query = Query.of(context);
    boolean dryRun = query.flag("dryRun");
    boolean directory = "directory".equals(query.oneOf("kind", List.of("file", "directory")));
    ClaimPath claim = ClaimPath.asked(query, path);
    if (claim != null && directory) {
      return claimChanges.make(context, claim, dryRun);
    }
    if (directory) {
      return dryRun
          ? blocking(
                  context,
                  () -> {
                    storage.checkDirectory(path);
                    return true;
                  })
              .map(Reply.empty(204))
          : blocking(context, () -> storage.makeDirectory(path))
              .map(made -> Reply.empty(made ? 201 : 204));
    }
    String expected = context.request().getHeader(HttpHeaders.IF_MATCH);
    String tag = expected == null || expected.equals("*") ? null : expected;
    if (claim != null) {
      return dryRun
          ? claimChanges.check(context, claim, tag)
          : claimChanges.write(context, claim, tag);
    }
    return dryRun ? checkUpload(context, path, tag) : upload(context, path, tag);
  }

  private Future<Reply> checkUpload(
      RoutingContext context, WorkspacePath path, @Nullable String tag) {
    HttpServerRequest request = context.request();
    Future<Long> room =
        blocking(context, () -> storage.checkWrite(path, RequestBody.declared(request), tag));
    return receive(
            request,
            room,
            (offset, part) ->
                offset + part.length > room.result()
                    ? blocking(context, () -> storage.full(path)).compose(Future::failedFuture)
                    : Future.succeededFuture())
        .map(Reply.empty(204));
  }

  private Future<Long> receive(
      HttpServerRequest request, Future<?> allowed, StreamedBody.Sink sink) {
    return streams.receive(
        request,
        most,
        new Problem.TooLarge("The files of a person may have %,d bytes.".formatted(most)),
        allowed,
        sink);
  }

  private Future<Reply> upload(RoutingContext context, WorkspacePath path, @Nullable String tag) {
    HttpServerRequest request = context.request();
    long announced = RequestBody.declared(request);
    Future<WorkspaceCharges.Upload> charged =
        charges.begin(path, Math.min(announced, most), () -> used(context, path));
    Future<WorkspaceWriting> begun =
        charged.compose(charge -> blocking(context, () -> storage.write(path, announced)));
    Future<Long> received =
        receive(
            request,
            begun,
            (offset, part) ->
                charged
                    .result()
                    .grow(offset + part.length)
                    .compose(room ->
                        blocking(
                            context,
                            () -> {
                              begun.result().write(part);
                              return true;
                            })));
    return received
        .compose(bytes -> begun)
        .compose(writing -> blocking(context, () -> writing.commit(tag)))
        .map(written -> {
          context.response().putHeader(HttpHeaders.ETAG, written.entry().tag());
          return Reply.status(written.created() ? 201 : 200, written.entry().json());
        })
        .recover(failure ->
            begun
                .compose(writing ->
                    blocking(
                        context,
                        () -> {
                          writing.abort();
                          return true;
                        }))
                .transform(aborted -> Future.<Reply>failedFuture(failure)))
        .eventually(() -> charged.compose(WorkspaceCharges.Upload::end));
  }

  private Future<Long> used(RoutingContext context, WorkspacePath path) {
    return blocking(context, () -> storage.used(path).bytes());
  }

  private Future<Reply> move(RoutingContext context) {
    WorkspacePath from = OwnFiles.path(context);
    Query query = Query.of(context);
    boolean dryRun = query.flag("dryRun");
    ClaimPath claim = ClaimPath.asked(query, from);
    return bodies
        .text(context, MOST_BODY)
        .compose(text -> {
          Fields fields =
              Fields.of(text, List.of("to", "replace"), "{\"to\": \"/mnt/ann/notes.txt\"}");
          String to = fields.text("to", MOST_TEXT);
          boolean replaces = Boolean.TRUE.equals(fields.flag("replace"));
          if (to == null) {
            fields.wrong("to", "to is the new path, such as /mnt/ann/notes.txt");
          }
          fields.check();
          if (claim != null) {
            String named = Objects.requireNonNull(to);
            return claimChanges.move(context, claim, named, replaces, dryRun);
          }
          WorkspacePath target = WorkspacePath.read(from.user(), Objects.requireNonNull(to));
          return blocking(
              context,
              () -> {
                storage.move(from, target, replaces, dryRun);
                return Reply.ok(storage.entry(dryRun ? from : target).json());
              });
        });
  }

  private Future<Reply> delete(RoutingContext context) {
    WorkspacePath path = OwnFiles.path(context);
    Query query = Query.of(context);
    boolean recursive = query.flag("recursive");
    ClaimPath claim = ClaimPath.asked(query, path);
    if (claim != null) {
      return claimChanges.delete(context, claim, recursive);
    }
    return blocking(
            context,
            () -> {
              storage.delete(path, recursive);
              return true;
            })
        .compose(deleted -> charges.recount(path, () -> used(context, path)))
        .map(Reply.empty(204));
  }

  // ---- helpers -------------------------------------------------------------------------------

  private <T> Future<T> blocking(RoutingContext context, Callable<T> work) {
    return workers.run(context, work);
  }
}
