package io.orrery.compute.service;

import io.orrery.core.id.AttemptRef;
import io.vertx.core.Future;
import java.util.List;

/** The address and credentials by which a trial reaches the server, for platforms to pass on. */
public interface TrialAccess {
  /** The server's URL as the trials of this platform see it, without a trailing slash. */
  String serverUrl();

  /**
   * The URLs of all servers that take the same calls, where there may be several: what is told to
   * trials which may outlive this one. None where it is the only one.
   */
  default Future<List<String>> servers() {
    return Future.succeededFuture(List.of());
  }

  /** A token that opens this attempt's own channel and nothing else. */
  String token(AttemptRef attempt);

  /** Whether a token is one of those, of any attempt, whichever server owns it. */
  default boolean isToken(String shown) {
    return false;
  }

  /** The URL of the command channel (NNI_TRIAL_COMMAND_CHANNEL) that a token opens. */
  default String channelUrl(String token) {
    return serverUrl() + "/trial/" + token;
  }
}
