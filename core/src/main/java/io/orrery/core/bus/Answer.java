package io.orrery.core.bus;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.orrery.core.problem.Problem;

/** The answer to a request. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Answer.Given.class, name = "given"),
  @JsonSubTypes.Type(value = Answer.Declined.class, name = "declined"),
})
sealed interface Answer {
  /** The answer; its class travels with it. */
  record Given(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, property = "@class") Object value)
      implements Answer {}

  /** A refusal, with its problem. */
  record Declined(Problem problem) implements Answer {}
}
