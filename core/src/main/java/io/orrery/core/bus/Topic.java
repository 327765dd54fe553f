package io.orrery.core.bus;

/**
 * The topic of events of one type. Delivery is at most once: an event is a hint, the store is the
 * truth.
 *
 * @param name unique in the product
 */
public record Topic<E>(String name, Class<E> event) {
  /** The same topic for one of several owners, such as one experiment. */
  public Topic<E> of(Object owner) {
    return new Topic<>(name + "." + owner, event);
  }
}
