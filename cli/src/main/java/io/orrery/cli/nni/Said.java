package io.orrery.cli.nni;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.orrery.cli.client.Session;
import io.orrery.core.json.Json;

/** What nnictl prints, all of it on stdout as NNI does. */
final class Said {
  private static final DefaultIndenter FOUR = new DefaultIndenter("    ", "\n");
  private static final ObjectWriter INDENTED =
      Json.MAPPER.writer(
          new DefaultPrettyPrinter().withObjectIndenter(FOUR).withArrayIndenter(FOUR));

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

  /** A document, indented by four. */
  void json(JsonNode document) {
    try {
      line(INDENTED.writeValueAsString(document));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document that was read cannot be written", e);
    }
  }
}
