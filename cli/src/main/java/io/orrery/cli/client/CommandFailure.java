package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** A command that ends here, with a message for its user. Has no stack trace: it is an answer. */
public final class CommandFailure extends RuntimeException {
  /** What was asked could not be done. */
  public static final int FAILED = 1;

  /** What was asked makes no sense, or its input was refused. */
  public static final int REFUSED = 2;

  /** Its user pressed Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final transient @Nullable JsonNode document;

  private CommandFailure(int exitCode, String message, @Nullable JsonNode document) {
    super(message, null, false, false);
    this.exitCode = exitCode;
    this.document = document;
  }

  /** Exit code 1. */
  public static CommandFailure failed(String message) {
    return new CommandFailure(FAILED, message, null);
  }

  /** Exit code 2. */
  public static CommandFailure refused(String message) {
    return new CommandFailure(REFUSED, message, null);
  }

  /** Exit code 2: the server refused an input; its problem is told in our own words. */
  public static CommandFailure refused(String message, ProblemResponse problem) {
    return new CommandFailure(REFUSED, message, problem.document());
  }

  /** Exit code 130. */
  public static CommandFailure interrupted() {
    return new CommandFailure(INTERRUPTED, "interrupted", null);
  }

  public int exitCode() {
    return exitCode;
  }

  /** The server's problem document behind it, when there is one. */
  public @Nullable JsonNode document() {
    return document;
  }

  /** What to print, without the program's name. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
