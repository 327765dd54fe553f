package io.orrery.studio.pipeline;

import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.studio.document.DocumentKeys;
import java.util.List;

/** Reads texts that a program is given: an output in them is a value and no file. */
final class ValueReader {
  private final DocumentKeys keys;
  private final LookupScope scope;

  ValueReader(DocumentKeys keys, LookupScope scope) {
    this.keys = keys;
    this.scope = scope;
  }

  /** Reads the text of a key. */
  TextTemplate read(String key, String text) {
    TextTemplate read = LookupReader.read(text, scope, message -> keys.wrong(key, message));
    for (OutputRef ref : read.outputs()) {
      boolean file =
          scope.outputs().getOrDefault(ref.task(), List.of()).stream()
              .filter(output -> output.name().equals(ref.name()))
              .noneMatch(OutputSpec::value);
      if (file) {
        keys.wrong(
            key,
            "%s is a file: name it in inputs, and read $ORRERY_INPUTS/<name of the input>"
                .formatted(ref));
      }
    }
    return read;
  }
}
