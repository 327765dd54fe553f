package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.workspace.WorkspaceEntry.Kind;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lists and reads files of claims, in the pods that mount them. */
final class ClaimReading {
  private static final String END = "end";
  private static final int MOST_NAMES = 100_000;

  private final ClaimPods pods;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  ClaimReading(ClaimPods pods, Clock clock, Duration patience) {
    this.pods = pods;
    this.clock = clock;
    this.patience = patience;
  }

  /** A page of the names in the directory of the person. */
  Future<ObjectNode> list(
      RoutingContext context, ClaimPath root, @Nullable String cursor, int limit) {
    return pods.run(
        context,
        root,
        "list",
        command ->
            command
                .write(ClaimProgram.begin("list", root))
                .compose(begun -> listed(command, root, cursor, limit)));
  }

  /** Answers the content of a file or a page of the names in a directory. */
  Future<Void> read(RoutingContext context, ClaimPath path, @Nullable String cursor, int limit) {
    if (path.path().isRoot()) {
      return list(context, path, cursor, limit).compose(page -> answer(context, page));
    }
    return pods.run(
        context,
        path,
        "read",
        command ->
            command
                .write(ClaimProgram.begin("read", path.parent(), path.path().name()))
                .compose(begun -> command.answer())
                .map(ClaimProgram::entry)
                .compose(entry ->
                    switch (entry.kind()) {
                      case DIRECTORY ->
                          listed(command, path, cursor, limit)
                              .compose(page -> answer(context, page));
                      case FILE -> send(context, command, FileDownload.asked(context, entry));
                      case LINK -> throw unfit(path, "it is a link, which is not followed");
                      case OTHER -> throw unfit(path, "it is no plain file");
                    }));
  }

  private static ProblemException unfit(ClaimPath path, String why) {
    return new Problem.Conflict("could not read %s: %s".formatted(path, why)).toException();
  }

  /** Answers what a path is. */
  Future<Void> stat(RoutingContext context, ClaimPath path) {
    return pods.run(
        context,
        path,
        "read",
        command -> {
          Future<WorkspaceEntry> found =
              path.path().isRoot()
                  ? command
                      .write(ClaimProgram.begin("look", path))
                      .compose(begun -> command.answer())
                      .map(any -> new WorkspaceEntry("", Kind.DIRECTORY, 0, clock.now()))
                  : command
                      .write(ClaimProgram.begin("stat", path.parent(), path.path().name()))
                      .compose(begun -> command.answer())
                      .map(ClaimProgram::entry);
          return found.compose(entry -> {
            context.response().putHeader(HttpHeaders.ETAG, entry.tag());
            return answer(context, entry.json());
          });
        });
  }

  /** Keeps the first names behind the cursor, in whatever order they come. */
  private static Future<ObjectNode> listed(
      ClaimCommand command, ClaimPath path, @Nullable String cursor, int limit) {
    NavigableMap<String, WorkspaceEntry> kept = new TreeMap<>();
    int[] names = {0};
    return AsyncLoop.repeat(() ->
            command
                .answer()
                .map(answer -> {
                  if (answer.equals(END)) {
                    return false;
                  }
                  if (++names[0] > MOST_NAMES) {
                    throw new Problem.Conflict(
                            "could not list %s: it has more than %,d names"
                                .formatted(path, MOST_NAMES))
                        .toException();
                  }
                  WorkspaceEntry entry = ClaimProgram.entry(answer);
                  if (!entry.name().startsWith(WorkspacePath.PART)
                      && (cursor == null || entry.name().compareTo(cursor) > 0)) {
                    kept.put(entry.name(), entry);
                    if (kept.size() > limit + 1) {
                      kept.pollLastEntry();
                    }
                  }
                  return true;
                }))
        .compose(all -> command.finished())
        .map(over -> {
          boolean isLast = kept.size() <= limit;
          List<WorkspaceEntry> entries = kept.values().stream().limit(limit).toList();
          return Pages.of(entries, WorkspaceEntry::json, isLast ? null : entries.getLast().name())
              .put("path", path.shown());
        });
  }

  private static Future<Void> answer(RoutingContext context, ObjectNode json) {
    return context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(json.toString());
  }

  private Future<Void> send(RoutingContext context, ClaimCommand command, FileDownload asked) {
    HttpServerResponse response = context.response();
    if (asked.isOutside()) {
      asked.head(response);
      return response.end();
    }
    ByteRange part = asked.part();
    return command
        .write(ClaimProgram.lines(Long.toString(part.start()), Long.toString(part.length())))
        .compose(begun -> command.piece())
        .compose(first -> {
          // Only now: what cannot be opened is an answer of its own.
          Outflow out = new Outflow(response, clock, patience, () -> {});
          asked.head(response.setChunked(false));
          return pass(command, first, part.length(), out);
        });
  }

  private static Future<Void> pass(ClaimCommand command, byte[] first, long length, Outflow out) {
    byte[][] next = {first};
    long[] left = {length};
    return AsyncLoop.repeat(
            () -> {
              byte[] piece = next[0];
              if (piece.length == 0) {
                return Future.succeededFuture(false);
              }
              left[0] -= piece.length;
              return left[0] < 0
                  ? Future.failedFuture(new IllegalStateException("the pod sends too much"))
                  : out.write(Buffer.buffer(piece))
                      .compose(written -> command.piece())
                      .map(more -> {
                        next[0] = more;
                        return true;
                      });
            })
        .compose(sent -> {
          if (left[0] > 0) {
            return Future.failedFuture(
                new IllegalStateException("the file became shorter while it was read"));
          }
          out.end();
          return Future.succeededFuture();
        });
  }
}
