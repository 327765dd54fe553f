package io.orrery.orchestrator.spec;

import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The keys of a platform's section as others may see them: read from the tables that read it. */
public final class PlatformOptions {
  private PlatformOptions() {}

  /**
   * @param brought what the platform declares itself, when it is not one of ours
   */
  public static List<Option> of(String platform, List<Option> brought) {
    return options(PlatformSchemas.of(platform, brought));
  }

  private static List<Option> options(Schema schema) {
    return schema.fields().stream().map(PlatformOptions::option).toList();
  }

  private static Option option(Field field) {
    return new Option(
        field.name(),
        type(field.type()),
        field.required(),
        field.standard(),
        field.meaning(),
        field.inert(),
        words(field.type()),
        inside(field.type()));
  }

  private static String type(ValueType type) {
    return switch (type) {
      case ValueType.Text ignored -> "text";
      case ValueType.Secret ignored -> "secret";
      case ValueType.Word ignored -> "word";
      case ValueType.Whole ignored -> "integer";
      case ValueType.Above ignored -> "number";
      case ValueType.Between ignored -> "number";
      case ValueType.Flag ignored -> "boolean";
      case ValueType.Span ignored -> "duration";
      case ValueType.Directory ignored -> "directory";
      case ValueType.File ignored -> "file";
      case ValueType.Size ignored -> "memory";
      case ValueType.GpuIndices ignored -> "GPU numbers";
      case ValueType.AnyObject ignored -> "object";
      case ValueType.Transfer ignored -> "text";
      case ValueType.Anything ignored -> "anything";
      case ValueType.Section ignored -> "section";
      case ValueType.ListOf(ValueType element) -> "list of " + type(element);
    };
  }

  private static List<String> words(ValueType type) {
    return type instanceof ValueType.Word(List<String> words) ? words : List.of();
  }

  private static List<Option> inside(ValueType type) {
    return switch (type) {
      case ValueType.Section(Schema schema) -> options(schema);
      case ValueType.ListOf(ValueType element) -> inside(element);
      case ValueType.Text _,
          ValueType.Secret _,
          ValueType.Word _,
          ValueType.Whole _,
          ValueType.Above _ ->
          List.of();
      case ValueType.Between _ -> List.of();
      case ValueType.Flag _, ValueType.Span _, ValueType.Directory _ -> List.of();
      case ValueType.File _, ValueType.Size _ -> List.of();
      case ValueType.GpuIndices _, ValueType.AnyObject _, ValueType.Anything _ -> List.of();
      case ValueType.Transfer _ -> List.of();
    };
  }
}
