package io.orrery.orchestrator.spec;

import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The schema of a platform in a jar that declares options alone. */
final class BroughtSchema {
  private static final String LIST = "list of ";

  private BroughtSchema() {}

  static Schema of(List<Option> options) {
    return new Schema(options.stream().map(BroughtSchema::field).toList());
  }

  private static Field field(Option option) {
    return new Field(
        option.name(),
        type(option.type(), option),
        option.meaning(),
        option.required(),
        option.standard(),
        option.note());
  }

  /** By the words of {@link PlatformOptions}; a type of no such name takes anything. */
  private static ValueType type(String word, Option option) {
    if (word.startsWith(LIST)) {
      return new ValueType.ListOf(type(word.substring(LIST.length()), option));
    }
    return switch (word) {
      case "text" -> new ValueType.Text();
      case "word" -> new ValueType.Word(option.words());
      case "integer" -> new ValueType.Whole(Long.MIN_VALUE, Long.MAX_VALUE);
      case "number" -> new ValueType.Between(-Double.MAX_VALUE, Double.MAX_VALUE);
      case "boolean" -> new ValueType.Flag();
      case "duration" -> new ValueType.Span();
      case "directory" -> new ValueType.Directory(true);
      case "file" -> new ValueType.File();
      case "memory" -> new ValueType.Size();
      case "object" -> new ValueType.AnyObject();
      case "section" -> new ValueType.Section(of(option.options()));
      default -> new ValueType.Anything();
    };
  }
}
