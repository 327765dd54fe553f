package io.orrery.studio.pipeline;

import io.orrery.core.run.OutputRef;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** A text of a document with its lookups. */
record TextTemplate(List<Part> parts) {
  TextTemplate {
    parts = List.copyOf(parts);
  }

  /** A part of a text: as it is written, or a lookup. */
  sealed interface Part {}

  record Plain(String text) implements Part {}

  record Parameter(String name) implements Part {}

  /** A variable of the pipeline. */
  record Variable(String name) implements Part {}

  record TaskOutput(OutputRef ref) implements Part {}

  /** A value of a task that has a step for each of some. */
  record Each(String name) implements Part {}

  /** A fact of the run. */
  record Fact(Name name) implements Part {
    /** The facts by their words in documents. */
    enum Name {
      RUN_ID("run.id"),
      RUN_DUE("run.due"),
      CREATOR("creator"),
      RUNNER("runner"),
      PIPELINE("pipeline.name");

      private final String word;

      Name(String word) {
        this.word = word;
      }

      String word() {
        return word;
      }
    }
  }

  /**
   * The due time of the run, moved and formatted.
   *
   * @param offset added to it
   */
  record Date(Duration offset, String pattern, DateTimeFormatter format, ZoneId zone)
      implements Part {}

  static TextTemplate of(String text) {
    return new TextTemplate(List.of(new Plain(text)));
  }

  /** Whether it has no lookups. */
  boolean isPlain() {
    return parts.stream().allMatch(Plain.class::isInstance);
  }

  /** The text without lookups. */
  String plain() {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> {
      if (part instanceof Plain(String written)) {
        text.append(written);
      }
    });
    return text.toString();
  }

  /** The outputs that it looks up. */
  List<OutputRef> outputs() {
    return parts.stream()
        .filter(TaskOutput.class::isInstance)
        .map(part -> ((TaskOutput) part).ref())
        .toList();
  }
}
