package io.orrery.gateway.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operation of {@link ClaimProgram} that runs in a pod. What it writes is asked for piece by
 * piece, so that it waits while nothing reads. Used on one context; closed by its user.
 */
final class ClaimCommand {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimCommand.class);
  private static final int MOST_ANSWER = 16 * 1024;
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Bus bus;
  private final String shell;
  private final String verb;
  private final ClaimPath path;
  private final int patience;
  private byte[] read = new byte[0];
  private int at;
  private @Nullable Output end;

  private ClaimCommand(Bus bus, String shell, String verb, ClaimPath path, int patience) {
    this.bus = bus;
    this.shell = shell;
    this.verb = verb;
    this.path = path;
    this.patience = patience;
  }

  /**
   * Begins one.
   *
   * @param verb that says in messages what is done to the path
   * @param patience how many questions for output, of ten seconds each, may stay without an answer
   */
  static Future<ClaimCommand> begin(
      Bus bus, Shells.RunCommand asked, String verb, ClaimPath path, int patience) {
    return bus.request(Shells.RUN, asked)
        .map(opened -> new ClaimCommand(bus, opened.shell(), verb, path, patience));
  }

  /** Gives it input; completes when that is taken. */
  Future<Void> write(byte[] input) {
    return bus.request(Shells.WRITE, new Shells.WriteShell(shell, input)).mapEmpty();
  }

  /** Waits for an answer, which comes without its end. */
  Future<String> answer() {
    String present = take();
    if (present != null) {
      return Future.succeededFuture(present);
    }
    String[] found = {null};
    return AsyncLoop.repeat(() ->
            more()
                .map(more -> {
                  found[0] = take();
                  if (found[0] == null && (!more || read.length - at > MOST_ANSWER)) {
                    throw failure();
                  }
                  return found[0] == null;
                }))
        .map(any -> Objects.requireNonNull(found[0]));
  }

  private @Nullable String take() {
    int mark = indexOfEnd();
    if (mark < 0) {
      return null;
    }
    String answer = new String(read, at, mark - at, UTF_8);
    at = mark + ClaimProgram.END.length;
    return answer;
  }

  private int indexOfEnd() {
    int length = ClaimProgram.END.length;
    for (int i = at; i + length <= read.length; i++) {
      if (Arrays.equals(read, i, i + length, ClaimProgram.END, 0, length)) {
        return i;
      }
    }
    return -1;
  }

  /** Waits for bytes; none at the end, when it has ended well. */
  Future<byte[]> piece() {
    if (at < read.length) {
      byte[] piece = Arrays.copyOfRange(read, at, read.length);
      at = read.length;
      return Future.succeededFuture(piece);
    }
    return more().compose(more -> more ? piece() : finished().map(new byte[0]));
  }

  /** Completes when it has ended well, with no more output. */
  Future<Void> finished() {
    return AsyncLoop.repeat(() ->
            more()
                .map(more -> {
                  at = read.length;
                  return more;
                }))
        .compose(all -> isWell() ? Future.succeededFuture() : Future.failedFuture(failure()));
  }

  private boolean isWell() {
    Output last = end;
    return last != null && Objects.equals(last.exitCode(), 0);
  }

  /** Asks for more output; false when there is none because it has ended. */
  private Future<Boolean> more() {
    if (end != null) {
      return Future.succeededFuture(false);
    }
    int[] left = {patience};
    boolean[] came = {false};
    return AsyncLoop.repeat(() ->
            bus.request(Shells.READ, new Shells.ReadShell(shell))
                .map(output -> {
                  came[0] = keep(output);
                  if (!came[0] && end == null && --left[0] == 0) {
                    throw unavailable("nothing came from the pod for a while");
                  }
                  return !came[0] && end == null;
                }))
        .map(done -> came[0]);
  }

  private boolean keep(Output output) {
    if (output.ended()) {
      end = output;
    }
    if (output.bytes().length == 0) {
      return false;
    }
    int left = read.length - at;
    byte[] joined = new byte[left + output.bytes().length];
    System.arraycopy(read, at, joined, 0, left);
    System.arraycopy(output.bytes(), 0, joined, left, output.bytes().length);
    read = joined;
    at = 0;
    return true;
  }

  /** The failure of one that ended, or answered what it should not. */
  private ProblemException failure() {
    Output last = end;
    if (last == null) {
      return new Problem.Broken(words("its answer is no answer")).toException();
    }
    String error = ClaimProgram.shortened(Objects.requireNonNullElse(last.error(), ""));
    return switch (last.exitCode()) {
      case null -> unavailable(error.isEmpty() ? "it broke off" : error);
      case ClaimProgram.MISSING -> missing(error);
      case ClaimProgram.UNFIT -> conflict(error);
      case ClaimProgram.BROKE_OFF -> unavailable("its input broke off");
      case Integer code when isFull(error) -> full(error);
      case Integer code -> conflict(error.isEmpty() ? "exit code " + code : error);
    };
  }

  private ProblemException missing(String error) {
    return new Problem.NotFound(error.isEmpty() ? "There is no %s.".formatted(path) : words(error))
        .toException();
  }

  /** Refuses for want of room; the program that failed names itself before the reason. */
  private ProblemException full(String error) {
    String reason = error.substring(error.lastIndexOf(": ") + 1).strip();
    return new Problem.TooLarge(words("its claim is full (%s)".formatted(reason))).toException();
  }

  private ProblemException conflict(String cause) {
    return new Problem.Conflict(words(cause)).toException();
  }

  private ProblemException unavailable(String cause) {
    return new Problem.Unavailable(words(cause), RETRY).toException();
  }

  private static boolean isFull(String error) {
    return Stream.of("No space left", "quota exceeded", "File too large").anyMatch(error::contains);
  }

  private String words(String cause) {
    return "could not %s %s: %s".formatted(verb, path, cause);
  }

  /** Ends it when it has not ended; completes when that was done, or cannot be. */
  Future<Void> close() {
    if (end != null) {
      return Future.succeededFuture();
    }
    return bus.request(Shells.CLOSE, new Shells.CloseShell(shell))
        .onFailure(failure -> LOG.debug("could not end a command: {}", failure.getMessage()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }
}
