package io.orrery.compute.remote.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The outcome of an order, in the form in which a script would have said it.
 *
 * @param code 0 when it is done
 * @param out what was asked for
 * @param err why it is not done
 */
public record OrderOutcome(int code, String out, String err) {
  /** The code of what an agent cannot do, and may be done by other means. */
  private static final int UNABLE = 70;

  static OrderOutcome of(ObjectNode said) {
    return new OrderOutcome(
        said.path("code").asInt(UNABLE), said.path("out").asText(), said.path("err").asText());
  }

  /** Whether the agent could not do it, which says nothing of whether it can be done. */
  public boolean isUnable() {
    return code == UNABLE;
  }
}
