package io.orrery.core.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A text of a specification in pieces, so that what a value expands to is never read as a lookup or
 * as a command again.
 */
public record ValueText(List<Piece> pieces) {
  public ValueText {
    pieces = List.copyOf(pieces);
  }

  /** A piece of a text. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Written.class, name = "written"),
    @JsonSubTypes.Type(value = Given.class, name = "given"),
    @JsonSubTypes.Type(value = Output.class, name = "output"),
  })
  public sealed interface Piece {}

  /** A piece as the author of the document wrote it. */
  public record Written(String text) implements Piece {}

  /** The text that a lookup was replaced by. */
  public record Given(String text) implements Piece {}

  /** An output of a task, known when the task is over. */
  public record Output(OutputRef ref) implements Piece {}

  /** A text without lookups. */
  public static ValueText of(String text) {
    return new ValueText(List.of(new Written(text)));
  }

  /** The text when the author of the document wrote all of it; empty when a value is in it. */
  public Optional<String> written() {
    return pieces.stream().allMatch(Written.class::isInstance)
        ? Optional.of(shown())
        : Optional.empty();
  }

  /** The outputs that the text needs. */
  public List<OutputRef> outputs() {
    return pieces.stream()
        .filter(Output.class::isInstance)
        .map(piece -> ((Output) piece).ref())
        .toList();
  }

  /** The text as far as it is known, for people: outputs are shown as lookups. */
  public String shown() {
    return pieces.stream()
        .map(piece ->
            switch (piece) {
              case Written(String text) -> text;
              case Given(String text) -> text;
              case Output(OutputRef ref) -> "{{" + ref + "}}";
            })
        .collect(Collectors.joining());
  }
}
