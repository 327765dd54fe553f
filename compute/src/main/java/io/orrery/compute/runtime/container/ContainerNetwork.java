package io.orrery.compute.runtime.container;

/** The network that containers are attached to. */
public enum ContainerNetwork {
  /**
   * A network of each container's own. Its ports are published on ports of the loopback address
   * that the server allocates, so a program listens on the number of its document, at all
   * addresses.
   */
  BRIDGE("bridge"),
  /** The network of the machine. A program listens on {@code $PORT}, as a process does. */
  HOST("host");

  private final String word;

  ContainerNetwork(String word) {
    this.word = word;
  }

  /** The name of the network for the engine, and in the configuration. */
  public String word() {
    return word;
  }
}
