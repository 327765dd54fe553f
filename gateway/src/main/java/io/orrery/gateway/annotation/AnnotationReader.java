package io.orrery.gateway.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Annotations.Of;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a change of note and tags, with every finding at once. */
public final class AnnotationReader {
  private static final String NOTE = "note";
  private static final String TAGS = "tags";

  private final List<Finding> findings = new ArrayList<>();

  private AnnotationReader() {}

  /**
   * Reads a JSON object with {@code note}, {@code tags} or both.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with what would be right
   */
  public static Annotations.Change read(Of of, JsonNode body) {
    AnnotationReader reader = new AnnotationReader();
    body.fieldNames()
        .forEachRemaining(name -> {
          if (!name.equals(NOTE) && !name.equals(TAGS)) {
            reader.findings.add(
                new Finding("/" + name, "what can be changed is 'note' and 'tags'"));
          }
        });
    String note = reader.note(body.get(NOTE));
    List<String> tags = reader.tags(body.get(TAGS));
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return new Annotations.Change(of, note, tags);
  }

  private @Nullable String note(@Nullable JsonNode value) {
    if (value == null) {
      return null;
    }
    if (!value.isTextual()
        || value.textValue().length() > Annotations.MOST_NOTE
        || value.textValue().indexOf('\0') >= 0) {
      findings.add(
          new Finding(
              "/" + NOTE,
              "a note is text of at most " + Annotations.MOST_NOTE + " characters; \"\" for none"));
      return null;
    }
    return value.textValue();
  }

  private @Nullable List<String> tags(@Nullable JsonNode value) {
    if (value == null) {
      return null;
    }
    TreeSet<String> tags = new TreeSet<>();
    if (!value.isArray()) {
      findings.add(new Finding("/" + TAGS, "tags are a list of texts, such as [\"baseline\"]"));
      return null;
    }
    for (int at = 0; at < value.size() && findings.size() < Annotations.MOST_TAGS; at++) {
      String tag = value.get(at).isTextual() ? value.get(at).textValue().strip() : "";
      if (tag.isEmpty()
          || tag.length() > Annotations.MOST_TAG
          || tag.chars().anyMatch(Character::isISOControl)) {
        findings.add(
            new Finding(
                "/" + TAGS + "/" + at,
                "a tag is a text of 1 to "
                    + Annotations.MOST_TAG
                    + " characters, without line breaks"));
      }
      tags.add(tag);
    }
    if (tags.size() > Annotations.MOST_TAGS) {
      findings.add(
          new Finding("/" + TAGS, "there are at most " + Annotations.MOST_TAGS + " tags on one"));
    }
    return List.copyOf(tags);
  }
}
