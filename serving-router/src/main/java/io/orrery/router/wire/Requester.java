package io.orrery.router.wire;

import io.netty.buffer.ByteBufAllocator;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.ClientAddress;

/** The client of a {@link Relay}, in whichever version of HTTP it has asked. */
interface Requester {
  ClientAddress address();

  ByteBufAllocator alloc();

  /** Whether it takes what is written for it. */
  boolean isWritable();

  /** Whether it is read from at the moment. */
  boolean isRead();

  /** Whether there is memory to read more for it; the relay hears when there is, if not. */
  boolean hasRoom();

  /** Whether what has come is being looked at, and goes on to the relay after it. */
  boolean taking();

  /** The relay can use more of what has come, or has room again. */
  void more();

  /** Lets the client wait while its body has nowhere to go. */
  void holdBack(boolean hold);

  /** Whether its answers are in the framing of HTTP/1.1. */
  boolean takesChunks();

  /** Sends a head that goes before that of the answer. */
  void interim(ResponseHead head);

  /**
   * Begins an answer.
   *
   * @param head good only during the call
   * @param last whether it is the last of a connection that carries one after the other
   */
  Answer answer(ResponseHead head, boolean bodiless, boolean last);

  /**
   * Writes an answer of the router's own.
   *
   * @param silent without its body, which the client did not ask for
   * @param last whether nothing more is read from the client
   */
  void deny(RouterProblem denial, boolean silent, boolean last);

  /** Cuts it off at once, whether or not the client reads what waits for it. */
  void close();

  /** The relay is over. */
  void done();
}
