package io.orrery.compute.section;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Walk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section of an experiment file that configures one training service, {@code trainingService}.
 * Pointers of findings are canonical: {@code /trainingService/<key>}.
 */
public interface ServiceSection {
  /** The name of the service as in {@code platform:}, lower case. */
  String platform();

  /** Other spellings of the name, lower case. */
  default List<String> aliases() {
    return List.of();
  }

  /** Its keys, with those of {@link CommonKeys#SCHEMA}. */
  Schema schema();

  /**
   * Checks keys together, before the section inherits what the top level says.
   *
   * @param root the canonical top level
   * @param service the section, with its defaults; may get more
   */
  default void read(ObjectNode root, ObjectNode service, Walk walk) {}

  /** Checks keys together, after the section has inherited what the top level says. */
  default void complete(ObjectNode root, ObjectNode service, Walk walk) {}

  /**
   * Whether a server without the service checks the keys too, beside refusing the service: they
   * name nothing of the server's machine.
   */
  default boolean checkedEverywhere() {
    return false;
  }

  /** Whether its trials may start in the workspace of the author. */
  default boolean startsInWorkspaces() {
    return false;
  }

  /** The section in NNI's first version; null when that has none. */
  default @Nullable OlderSection older() {
    return null;
  }
}
