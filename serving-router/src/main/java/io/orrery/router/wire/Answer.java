package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;

/** An answer on its way to the client: its head has come, its body follows. */
interface Answer {
  /** A piece of the body, to be released here. */
  void add(ByteBuf piece);

  /**
   * The trailers of a body whose pieces come without their framing.
   *
   * @param lines each with its line's end; each character is a byte
   */
  void trailers(String lines);

  /** Sends what has come so far; whether the client has room for more. */
  boolean flush();

  /** All of it has come. */
  void end();

  /** It goes no further. */
  void release();
}
