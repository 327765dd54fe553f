package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The requests for parameter sets in NNI's payloads, one after the other. Each of its processes may
 * ask for all of them; a number that leaves some out counts for nothing.
 */
final class SetRequests {
  private int highest;

  /** The highest set that was asked for, 0 for none: the first one needs no asking. */
  int highest() {
    return highest;
  }

  /** Looks whether a payload asks for the next. */
  void look(JsonNode payload) {
    JsonNode wanted = payload.path("parameter_index");
    if (payload.path("type").asText().equals("REQUEST_PARAMETER")
        && wanted.isInt()
        && wanted.intValue() == highest + 1) {
      highest++;
    }
  }
}
