package io.orrery.core.bus;

/**
 * Where events of one type are published to whoever listens. Delivery is at most once: an event is
 * a hint, the store knows.
 *
 * @param name unique in the product
 */
public record Topic<E>(String name, Class<E> event) {
  /** The same topic for one of several owners, such as one experiment. */
  public Topic<E> of(Object owner) {
    return new Topic<>(name + "." + owner, event);
  }
}
