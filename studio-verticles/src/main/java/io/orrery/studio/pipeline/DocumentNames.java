package io.orrery.studio.pipeline;

import io.orrery.core.run.PipelineName;
import io.orrery.studio.document.DocumentKeys;

/** Checks kind and name of a document, and names of variables. */
final class DocumentNames {
  private DocumentNames() {}

  /** Finds a kind or name that is another than the one in the address. */
  static void check(DocumentKeys keys, String kind, PipelineName name) {
    String written = keys.text("kind", 100);
    if (written != null && !written.equals(kind)) {
      keys.wrong("kind", "the kind is " + kind + " here, not " + written);
    }
    String own = keys.text("name", 100);
    if (own != null && !own.equals(name.value())) {
      keys.wrong("name", "the name is %s in the address and %s here".formatted(name, own));
    }
  }

  /** Whether a variable is set by the server. */
  static boolean isServers(String variable) {
    return variable.startsWith("ORRERY_") || variable.startsWith("NNI_");
  }
}
