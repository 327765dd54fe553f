package io.orrery.compute.registry;

/** A failure to get an answer of a registry, with a sentence for the person who asked. */
final class RegistryException extends Exception {
  private static final long serialVersionUID = 1L;

  RegistryException(String reason) {
    super(reason, null, false, false);
  }
}
