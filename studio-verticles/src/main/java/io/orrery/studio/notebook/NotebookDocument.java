package io.orrery.studio.notebook;

import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a notebook's document.
 *
 * @param cluster null for the project's
 * @param image null for the programs of the machine
 * @param open the path below the user's directory that is opened first; null for the directory
 * @param share the users besides the owner who may enter it
 * @param keys the public keys that may come in by SSH
 * @param idle the time without use after which it is stopped
 */
record NotebookDocument(
    NotebookIde ide,
    @Nullable String cluster,
    @Nullable String image,
    Resources resources,
    Map<String, String> environment,
    Mounts mounts,
    @Nullable String open,
    List<String> share,
    List<String> keys,
    Duration idle) {
  NotebookDocument {
    environment = Map.copyOf(environment);
    share = List.copyOf(share);
    keys = List.copyOf(keys);
  }
}
