package io.orrery.gateway.workspace;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.StreamedBody;
import io.orrery.gateway.workspace.WorkspaceEntry.Kind;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Writes, makes, moves and deletes files of claims, in the pods that mount them. */
final class ClaimChanges {
  /** The pod says of each part that it is written, before the next one is sent. */
  private static final int PART = 256 << 10;

  /** The claim itself is the limit. */
  private static final long MOST = Long.MAX_VALUE;

  private static final Problem TOO_LARGE = new Problem.TooLarge("A file has at most 8 EiB.");

  private final ClaimPods pods;
  private final StreamedBody streams;
  private final RandomGenerator random;

  /**
   * @param patience how long a client may send nothing
   * @param random of the names of files that are being uploaded
   */
  ClaimChanges(
      ClaimPods pods, RequestBody bodies, Clock clock, Duration patience, RandomGenerator random) {
    this.pods = pods;
    this.streams = new StreamedBody(bodies, clock, patience, PART);
    this.random = random;
  }

  /**
   * Writes the body of a request as a file. Called before anything asynchronous happens to it.
   *
   * @param tag of what is replaced; null for any
   */
  Future<Reply> write(RoutingContext context, ClaimPath path, @Nullable String tag) {
    HttpServerRequest request = context.request();
    path.requireName();
    Future<ClaimCommand> opened = pods.begin(context, path, "write", true);
    Future<String> begun =
        opened.compose(command ->
            command
                .write(ClaimProgram.begin("write", path.parent(), path.path().name(), part()))
                .compose(written -> command.answer()));
    return streams
        .receive(request, MOST, TOO_LARGE, begun, (offset, part) -> append(opened.result(), part))
        .compose(bytes -> commit(context, opened.result(), path, tag))
        .eventually(() ->
            opened.transform(command ->
                command.succeeded() ? command.result().close() : Future.succeededFuture()));
  }

  private String part() {
    byte[] id = new byte[8];
    random.nextBytes(id);
    return WorkspacePath.PART + HexFormat.of().formatHex(id);
  }

  private static Future<String> append(ClaimCommand command, byte[] part) {
    return command
        .write(ClaimProgram.lines(Integer.toString(part.length)))
        .compose(told -> command.write(part))
        .compose(written -> command.answer());
  }

  /** Has the file get its name, when what has it now may be replaced. */
  private static Future<Reply> commit(
      RoutingContext context, ClaimCommand command, ClaimPath path, @Nullable String tag) {
    return command
        .write(ClaimProgram.lines("end"))
        .compose(told -> command.answer())
        .compose(answer -> {
          WorkspaceEntry before = present(answer);
          WorkspaceWriting.requireReplaceable(path, before, tag);
          return command
              .write(ClaimProgram.lines("commit"))
              .compose(told -> command.answer())
              .map(ClaimProgram::entry)
              .compose(entry -> command.finished().map(entry))
              .map(entry -> {
                context.response().putHeader(HttpHeaders.ETAG, entry.tag());
                return Reply.status(before == null ? 201 : 200, entry.json());
              });
        });
  }

  private static @Nullable WorkspaceEntry present(String answer) {
    return answer.equals(ClaimProgram.NONE) ? null : ClaimProgram.entry(answer);
  }

  /** Checks whether the body of a request can be written, and changes nothing. */
  Future<Reply> check(RoutingContext context, ClaimPath path, @Nullable String tag) {
    path.requireName();
    Future<Void> allowed =
        probed(context, path, "write")
            .map(before -> {
              WorkspaceWriting.requireReplaceable(path, before, tag);
              return null;
            });
    return streams
        .receive(
            context.request(), MOST, TOO_LARGE, allowed, (offset, part) -> Future.succeededFuture())
        .map(Reply.empty(204));
  }

  private Future<@Nullable WorkspaceEntry> probed(
      RoutingContext context, ClaimPath path, String verb) {
    return pods.run(
        context,
        path,
        verb,
        command ->
            command
                .write(ClaimProgram.begin("probe", path.parent(), path.path().name()))
                .compose(begun -> command.answer())
                .map(ClaimChanges::present));
  }

  /** Makes a directory and those above it. */
  Future<Reply> make(RoutingContext context, ClaimPath path, boolean dryRun) {
    path.requireName();
    if (dryRun) {
      return probed(context, path, "make")
          .map(before -> {
            if (before != null && before.kind() != Kind.DIRECTORY) {
              throw new Problem.Conflict(
                      "could not make %s: it is there already, and is no directory".formatted(path))
                  .toException();
            }
            return Reply.empty(204);
          });
    }
    return operation(context, path, "make")
        .map(answer -> Reply.empty(answer.equals("made") ? 201 : 204));
  }

  /** Renames a file or directory. */
  Future<Reply> move(
      RoutingContext context, ClaimPath from, String to, boolean replaces, boolean dryRun) {
    ClaimPath target = from.to(to);
    from.requireName();
    target.requireName();
    if (from.path().holds(target.path())) {
      throw WorkspaceStorage.conflict(
          "%s cannot be moved to %s: that is itself, or below.".formatted(from, target.shown()));
    }
    String[] names = ClaimProgram.names(target.parent());
    String[] more = new String[names.length + 4];
    more[0] = from.path().name();
    System.arraycopy(names, 0, more, 1, names.length);
    more[names.length + 1] = target.path().name();
    more[names.length + 2] = Boolean.toString(replaces);
    more[names.length + 3] = Boolean.toString(dryRun);
    return pods.run(
        context,
        from,
        "move",
        command ->
            command
                .write(ClaimProgram.begin("move", from.parent(), more))
                .compose(begun -> command.answer())
                .compose(answer -> command.finished().map(answer))
                .map(answer -> Reply.ok(ClaimProgram.entry(answer).json())));
  }

  /** Deletes a file or directory. */
  Future<Reply> delete(RoutingContext context, ClaimPath path, boolean recursive) {
    path.requireName();
    return operation(context, path, "delete", Boolean.toString(recursive))
        .map(deleted -> Reply.empty(204));
  }

  /** Runs an operation that has one answer. */
  private Future<String> operation(
      RoutingContext context, ClaimPath path, String verb, String... more) {
    String[] lines = new String[more.length + 1];
    lines[0] = path.path().name();
    System.arraycopy(more, 0, lines, 1, more.length);
    return pods.run(
        context,
        path,
        verb,
        command ->
            command
                .write(ClaimProgram.begin(verb, path.parent(), lines))
                .compose(begun -> command.answer())
                .compose(answer -> command.finished().map(answer)));
  }
}
