package io.orrery.core.sql;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** The connection is gone, and whether the last thing that was sent has happened is not known. */
final class ConnectionLost extends Exception {
  private static final long serialVersionUID = 1L;

  ConnectionLost(Throwable cause) {
    super(reason(cause), cause);
  }

  /**
   * Whether a failure says that there is no connection (any more), rather than that the database
   * refused what it was told: classes 08 (connection) and 57P (going down, not up yet), 53300 (no
   * connection free) of the SQLSTATE list in PostgreSQL's appendix A.
   */
  static boolean is(Throwable failure) {
    return switch (failure) {
      case PgException refused -> {
        String state = refused.getSqlState() == null ? "" : refused.getSqlState();
        yield state.startsWith("08") || state.startsWith("57P") || state.equals("53300");
      }
      case ClosedConnectionException closed -> true;
      case IOException broken -> true;
      case TimeoutException silence -> true;
      // What the driver says of a command that came after the end, without a type of its own.
      case VertxException closed -> String.valueOf(closed.getMessage()).startsWith("Connection");
      default -> false;
    };
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
