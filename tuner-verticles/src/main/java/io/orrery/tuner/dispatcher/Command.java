package io.orrery.tuner.dispatcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;

/**
 * A command between manager and dispatcher.
 *
 * @param type two letters, or one of the connection's own words, {@link #BYE} and {@link #NOTHING}
 * @param content JSON text, mostly; empty when there is none
 */
public record Command(String type, String content) {
  /** To the dispatcher: the search space; it answers {@link #INITIALIZED}. */
  public static final String INITIALIZE = "IN";

  public static final String INITIALIZED = "ID";

  /** To the dispatcher: so many parameter sets are wanted. */
  public static final String REQUEST_TRIALS = "GE";

  public static final String NEW_TRIAL = "TR";

  /** It has none now; more may follow. */
  public static final String NO_MORE_TRIALS = "NO";

  public static final String REPORT_METRIC = "ME";
  public static final String UPDATE_SEARCH_SPACE = "SS";
  public static final String IMPORT_DATA = "FD";

  /** To the dispatcher: trials that an earlier one suggested. */
  public static final String ADD_TRIALS = "AD";

  public static final String TRIAL_END = "EN";
  public static final String KILL_TRIAL = "KI";
  public static final String TERMINATE = "TE";
  public static final String ERROR = "ER";

  /** One of the two is about to close the connection, and means it. */
  public static final String BYE = "_bye_";

  /** Says nothing: to see whether the other is there. */
  public static final String NOTHING = "_nop_";

  /** The spelling of commands in the messages of a WebSocket. */
  public enum Spelling {
    /** NNI 3: {@code {"type": "GE", "content": "2"}}. */
    OBJECT,

    /** NNI 2.8 to 2.10: {@code GE2}. */
    PREFIX
  }

  /** Of JSON. */
  public static Command of(String type, JsonNode content) {
    return new Command(type, Json.write(content));
  }

  /** As the message of a WebSocket. */
  String message(Spelling spelling) {
    if (spelling == Spelling.PREFIX) {
      return type + content;
    }
    ObjectNode object = Json.MAPPER.createObjectNode().put("type", type);
    if (!content.isEmpty()) {
      object.put("content", content);
    }
    return Json.write(object);
  }

  /**
   * Reads a message, however it is spelled.
   *
   * @throws ProblemException Broken when it is no command
   */
  static Command read(String message) {
    if (!message.startsWith("{")) {
      if (message.length() < 2) {
        throw new Problem.Broken("the dispatcher sent '" + message + "', which is no command")
            .toException();
      }
      return new Command(message.substring(0, 2), message.substring(2));
    }
    JsonNode object = Json.parse(message);
    JsonNode type = object.path("type");
    if (!type.isTextual()) {
      throw new Problem.Broken("the dispatcher sent a command without a type").toException();
    }
    return new Command(type.textValue(), object.path("content").asText(""));
  }

  /** The content as JSON; null where there is none. */
  public JsonNode json() {
    return content.isEmpty() ? Json.MAPPER.nullNode() : Json.parse(content);
  }
}
