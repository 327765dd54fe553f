package io.orrery.cli.nni;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The messages of nnictl, on stdout as NNI prints them. */
final class Said {
  private static final DefaultIndenter FOUR = new DefaultIndenter("    ", "\n");
  private static final ObjectWriter INDENTED =
      Json.MAPPER
          .writer(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance().withObjectFieldValueSpacing(Spacing.NONE))
                  .withObjectIndenter(FOUR)
                  .withArrayIndenter(FOUR))
          .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  /** What NNI shows as dates; milliseconds in its API. */
  private static final List<String> TIMES = List.of("startTime", "endTime");

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss", Locale.ROOT);

  private final Session session;

  Said(Session session) {
    this.session = session;
  }

  /** A message as NNI writes them. */
  void info(String message) {
    session.terminal().out().println("INFO:  " + message);
  }

  void line(String text) {
    session.terminal().out().println(text);
  }

  /**
   * A verb of NNI that does nothing here, and why; for people, so not on stdout.
   *
   * @return the exit code of a failure
   */
  int absent(String why) {
    session.terminal().say(why);
    return CommandFailure.FAILED;
  }

  /** A document as NNI prints it: indented by four, members in the order of their names. */
  void json(JsonNode document) {
    try {
      line(INDENTED.writeValueAsString(Json.MAPPER.treeToValue(document, Object.class)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document that was read cannot be written", e);
    }
  }

  /** The same with times in this machine's zone, as NNI shows profiles and trials. */
  void dated(JsonNode document) {
    date(document);
    for (JsonNode element : document) {
      date(element);
    }
    json(document);
  }

  private static void date(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (String name : TIMES) {
        if (object.path(name).isIntegralNumber()) {
          Instant time = Instant.ofEpochMilli(object.get(name).longValue());
          object.put(name, DATE.format(time.atZone(ZoneId.systemDefault())));
        }
      }
    }
  }
}
