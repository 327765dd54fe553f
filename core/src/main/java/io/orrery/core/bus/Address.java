package io.orrery.core.bus;

import java.time.Duration;

/**
 * The address of a request on the bus, with the types of request and answer; both are records of
 * {@code core}.
 *
 * @param name unique in the product: two words with a dot between
 * @param patience how long another process may take to answer; in this one it is a minute at least
 */
public record Address<Q, A>(String name, Class<Q> question, Class<A> answer, Duration patience) {
  /** A process that is there answers sooner; one that has stopped must not hold up the others. */
  private static final Duration SHORT = Duration.ofSeconds(5);

  /** Of what reads or writes much, asks a platform, or starts a process. */
  public static final Duration LONG = Duration.ofSeconds(60);

  /** Of what is answered at once. */
  public Address(String name, Class<Q> question, Class<A> answer) {
    this(name, question, answer, SHORT);
  }

  /** The same address for what may take longer. */
  public Address<Q, A> waiting(Duration longer) {
    return new Address<>(name, question, answer, longer);
  }

  /** The name without an owner: {@code tuners.ask}, whichever owner is asked. */
  String family() {
    int owner = name.indexOf('.', name.indexOf('.') + 1);
    return owner < 0 ? name : name.substring(0, owner);
  }

  /** The same address for one of several owners, such as one experiment. */
  public Address<Q, A> of(Object owner) {
    return new Address<>(name + "." + owner, question, answer, patience);
  }
}
