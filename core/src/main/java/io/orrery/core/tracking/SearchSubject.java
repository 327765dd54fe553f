package io.orrery.core.tracking;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The kind of objects that a filter or an order is about, with the attributes that they have. */
public enum SearchSubject {
  RUN,
  EXPERIMENT,
  MODEL,
  VERSION;

  /** The attribute of a name in any of its spellings, such as {@code Run Name}. */
  String attribute(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replace(' ', '_');
    return switch (plain) {
      case "created" -> "start_time";
      case "last_updated" -> "last_update_time";
      case "timestamp" -> "last_updated_timestamp";
      case "source" -> "source_path";
      default -> plain;
    };
  }

  private List<String> texts() {
    return switch (this) {
      case RUN ->
          List.of("run_id", "run_name", "status", "user_id", "experiment_id", "artifact_uri");
      case EXPERIMENT -> List.of("name", "experiment_id");
      case MODEL -> List.of("name");
      case VERSION -> List.of("name", "run_id", "source_path", "version");
    };
  }

  private List<String> numbers() {
    return switch (this) {
      case RUN -> List.of("start_time", "end_time");
      case EXPERIMENT -> List.of("creation_time", "last_update_time");
      case MODEL -> List.of("creation_timestamp", "last_updated_timestamp");
      case VERSION -> List.of("version_number", "creation_timestamp", "last_updated_timestamp");
    };
  }

  boolean hasText(String attribute) {
    return texts().contains(attribute);
  }

  boolean hasNumber(String attribute) {
    return numbers().contains(attribute);
  }

  /** Whether there are metrics and parameters. */
  boolean isLogged() {
    return this == RUN;
  }

  /** The names of all attributes, for messages. */
  List<String> attributes() {
    return Stream.concat(texts().stream(), numbers().stream()).sorted().toList();
  }
}
