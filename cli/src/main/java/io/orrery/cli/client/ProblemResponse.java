package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The server understood and said no, with a problem document (RFC 9457). */
public final class ProblemResponse extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int REFUSED = 400;
  private static final Pattern QUERY =
      Pattern.compile("(?:unknown |the )?query parameter '(\\w+)'");

  private final int status;
  private final transient JsonNode document;

  private ProblemResponse(int status, JsonNode document) {
    super(document.path("detail").asText(), null, false, false);
    this.status = status;
    this.document = document;
  }

  /** Reads a response of status 400 or above; a body that is no problem document becomes one. */
  static ProblemResponse of(int status, String body) {
    try {
      JsonNode document = Json.parse(body);
      if (document.isObject() && (document.has("title") || document.has("detail"))) {
        return new ProblemResponse(status, document);
      }
    } catch (ProblemException e) {
      // Not JSON: some proxy's page, of which the status is all that is worth showing.
    }
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    made.put("type", "about:blank").put("title", "The server answered " + status);
    made.put("status", status);
    return new ProblemResponse(status, made);
  }

  public int status() {
    return status;
  }

  /** 2 when the input was refused, else 1. */
  public int exitCode() {
    return status == 400 || status == 413 ? CommandFailure.REFUSED : CommandFailure.FAILED;
  }

  /** The document as it came. */
  public JsonNode document() {
    return document;
  }

  /** Replaces the query parameters in a sentence of the API by the options of the command line. */
  private static String inOptions(String sentence) {
    return QUERY
        .matcher(sentence)
        .replaceAll(
            found -> "--" + found.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
  }

  /** What is wrong in the input, piece by piece; may be empty. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode error : document.path("errors")) {
      JsonNode line = error.path("line");
      findings.add(
          new Finding(
              error.path("pointer").asText(),
              inOptions(error.path("message").asText()),
              line.isInt() ? (Integer) line.asInt() : null));
    }
    return List.copyOf(findings);
  }

  /** Title and detail in one line, and what to do when it is about credentials. */
  public String text() {
    return status == 401 ? said() + " Give a token with --token or in $ORRERY_TOKEN." : said();
  }

  private String said() {
    String title = document.path("title").asText();
    String detail = inOptions(document.path("detail").asText());
    if (status == REFUSED && !detail.isEmpty()) {
      return detail;
    }
    if (title.isEmpty() || detail.isEmpty()) {
      return title + detail;
    }
    return title + ": " + detail;
  }
}
