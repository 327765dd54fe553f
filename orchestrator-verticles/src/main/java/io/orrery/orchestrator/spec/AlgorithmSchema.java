package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;

/** A tuner, assessor or advisor: a built-in one by name, or a class of the user's own. */
final class AlgorithmSchema {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("name", new ValueType.Text(), "the name of a built-in algorithm"),
          Field.of("className", new ValueType.Text(), "module.Class of an algorithm of your own"),
          Field.of(
              "codeDirectory", new ValueType.Directory(true), "where the module of className lies"),
          Field.of("classArgs", new ValueType.AnyObject(), "the algorithm's arguments by name"));

  private AlgorithmSchema() {}
}
