package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A part that an attempt runs as: all of its pods are alike.
 *
 * @param name as the keeper knows it, lower case: {@code main}, {@code worker}, {@code ps} …
 * @param pods how many of them, 1 or more
 * @param command the user's, with its placeholders
 * @param codeDirectory absolute, on the server; null when the image has the code
 * @param imageDirectory where the image has it; null when the server sends it
 * @param image of the container
 * @param cpus requested and at most; null leaves it to the cluster
 * @param memory likewise, in megabytes
 * @param gpus requested; 0 hides what devices there are, null leaves it to the cluster
 * @param pullSecret path of a Docker {@code config.json} that opens the image's registry; null when
 *     none is needed
 * @param template fields of its pods, by strategic merge; empty for none
 */
public record Role(
    String name,
    int pods,
    String command,
    @Nullable String codeDirectory,
    @Nullable String imageDirectory,
    String image,
    @Nullable Double cpus,
    @Nullable Long memory,
    @Nullable Integer gpus,
    @Nullable String pullSecret,
    ObjectNode template) {
  /** The same without code, and with a word for a command. */
  Role empty(String word) {
    return new Role(name, pods, word, null, null, image, cpus, memory, gpus, pullSecret, template);
  }

  /** The same with another command. */
  public Role running(String other) {
    return new Role(
        name,
        pods,
        other,
        codeDirectory,
        imageDirectory,
        image,
        cpus,
        memory,
        gpus,
        pullSecret,
        template);
  }
}
