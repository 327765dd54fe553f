package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the edge, where NNI's dispatchers connect ({@code /tuner}), and the tuner
 * module. Messages keep their order; a connection's name is never used again.
 */
public final class Dispatchers {
  /**
   * A dispatcher has connected; the tuner module answers. Conflict when the experiment does not
   * search or has a dispatcher already, Forbidden when the token is unknown.
   */
  public static final Address<Arrived, Done> ARRIVED =
      new Address<>("dispatchers.arrived", Arrived.class, Done.class);

  /** A dispatcher said something; the tuner module answers. */
  public static final Address<Said, Done> SAID =
      new Address<>("dispatchers.said", Said.class, Done.class);

  /** A connection is closed; the tuner module answers. */
  public static final Address<Left, Done> LEFT =
      new Address<>("dispatchers.left", Left.class, Done.class);

  /**
   * Something is to be said to a dispatcher; the edge answers when it is on its way. NotFound when
   * the connection is closed.
   */
  public static final Address<Tell, Done> TELL =
      new Address<>("dispatchers.tell", Tell.class, Done.class);

  /** A connection is to be closed, after everything that was told; the edge answers. */
  public static final Address<Part, Done> PART =
      new Address<>("dispatchers.part", Part.class, Done.class);

  private Dispatchers() {}

  /**
   * The arrival of a dispatcher.
   *
   * @param connection its name
   * @param experiment whose tuner it is to be; null when the token says it
   * @param token of a dispatcher that the tuner module has started itself
   */
  public record Arrived(
      String connection, @Nullable ExperimentId experiment, @Nullable String token) {}

  /**
   * A message of a dispatcher.
   *
   * @param message as NNI spells its commands
   */
  public record Said(String connection, String message) {}

  public record Left(String connection) {}

  /**
   * A message to a dispatcher.
   *
   * @param message as NNI spells its commands
   */
  public record Tell(String connection, String message) {}

  public record Part(String connection) {}

  public record Done() {}
}
