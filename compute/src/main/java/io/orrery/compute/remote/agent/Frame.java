package io.orrery.compute.remote.agent;

import java.nio.ByteBuffer;

/**
 * A frame: what one end says to the other.
 *
 * @param number by which an answer is known
 */
record Frame(Kind kind, int number, byte[] payload) {
  /** The most bytes of a payload. */
  static final int MOST = 8 << 20;

  /** The bytes before a payload: its length, its kind, its number. */
  static final int HEAD = 9;

  /** The kinds of frames. */
  enum Kind {
    /** Asks the agent to do something. */
    DO(1),
    /** Answers a call. */
    ANSWER(2),
    /** Is the agent's first one, with what it has. */
    HELLO(16),
    /** Says what has come of an order. */
    DONE(17),
    /** Carries the call of a keeper. */
    CALL(18),
    /** Says that a caller has gone before it was answered. */
    LEFT(19);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }

    /**
     * The kind that an agent means by a code.
     *
     * @throws BrokenLinkException when it means none
     */
    static Kind fromAgent(byte code) throws BrokenLinkException {
      for (Kind kind : values()) {
        if (kind.code == code && kind.compareTo(HELLO) >= 0) {
          return kind;
        }
      }
      throw new BrokenLinkException("its agent sent a frame of kind " + code);
    }
  }

  /** The frame as it is sent. */
  byte[] bytes() {
    return ByteBuffer.allocate(HEAD + payload.length)
        .putInt(payload.length)
        .put(kind.code)
        .putInt(number)
        .put(payload)
        .array();
  }
}
