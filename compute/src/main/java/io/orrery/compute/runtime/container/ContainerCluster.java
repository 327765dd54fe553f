package io.orrery.compute.runtime.container;

import java.nio.file.Path;

/**
 * A container engine of this machine, as the configuration names it.
 *
 * @param name lower-case letters, digits and hyphens
 * @param socket on which the engine answers; absolute
 */
public record ContainerCluster(String name, Path socket, ContainerNetwork network) {
  /** The engine in a sentence, such as {@code the container engine at unix:///run/x.sock}. */
  String engine() {
    return "the container engine at unix://" + socket;
  }
}
