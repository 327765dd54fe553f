package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.policy.Trailers;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The framing of a chunked body (RFC 9112 section 7.1), read byte by byte: sizes in hexadecimal,
 * CRLF and nothing else at the end of lines, extensions and trailers bounded.
 */
final class Chunks {
  /** What has come has been read, and the body goes on. */
  static final int MORE = 0;

  /** The body is over, its trailers included. */
  static final int END = -1;

  /** This is no chunked body. */
  static final int FAULT = -2;

  /** Bytes of one line, and of all trailers. */
  private static final int MOST_LINE = 8 * 1024;

  private enum State {
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER,
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    END_LF
  }

  private State state = State.SIZE;
  private long left;
  private boolean sized;
  private int line;

  /** Those that have come, each with its line's end. */
  private @Nullable StringBuilder trailers;

  /** Where they begin in the buffer in which the last chunk ended. */
  private int trailersFrom;

  /**
   * Reads framing until data come.
   *
   * @return how many bytes of data stand at the reader index, which the caller takes before it asks
   *     again; else {@link #MORE}, {@link #END} or {@link #FAULT}
   */
  int next(ByteBuf in) {
    while (in.isReadable()) {
      if (state == State.DATA) {
        int here = (int) Math.min(left, in.readableBytes());
        left -= here;
        if (left == 0) {
          state = State.DATA_CR;
        }
        return here;
      }
      byte b = in.readByte();
      if (state == State.END_LF) {
        return b == '\n' ? END : FAULT;
      }
      State following = after(b);
      if (following == null || ++line > MOST_LINE) {
        return FAULT;
      }
      if (isOfTrailers(following)) {
        keep(b);
      } else if (following == State.TRAILER) {
        trailersFrom = in.readerIndex();
      }
      state = following;
    }
    return MORE;
  }

  private boolean isOfTrailers(State following) {
    return switch (following) {
      case TRAILER_NAME, TRAILER_VALUE, TRAILER_LF -> true;
      case TRAILER -> state == State.TRAILER_LF;
      case SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, END_LF -> false;
    };
  }

  private void keep(byte b) {
    StringBuilder kept = trailers;
    if (kept == null) {
      kept = new StringBuilder();
      trailers = kept;
    }
    kept.append((char) (b & 0xff));
  }

  /**
   * The trailers of a body that has ended which may pass on, each with its line's end; each byte is
   * a character.
   */
  String passingTrailers() {
    return trailers == null
        ? ""
        : trailers
            .toString()
            .lines()
            .filter(line -> Trailers.mayPass(line.substring(0, line.indexOf(':'))))
            .map(line -> line + "\r\n")
            .collect(Collectors.joining());
  }

  /** Whether the body had trailers, of whatever kind. */
  boolean hasTrailers() {
    return trailers != null;
  }

  /** Whether the last chunk has come, and what is read from here on are trailers. */
  boolean inTrailers() {
    return switch (state) {
      case TRAILER, TRAILER_NAME, TRAILER_VALUE, TRAILER_LF, END_LF -> true;
      case SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF -> false;
    };
  }

  /** Where the trailers begin in the buffer in which the last chunk ended. */
  int trailersFrom() {
    return trailersFrom;
  }

  /** The state after a character of the framing; null when it cannot stand there. */
  private @Nullable State after(byte b) {
    return switch (state) {
      case SIZE -> size(b);
      case EXTENSION -> b == '\r' ? State.SIZE_LF : Ascii.isText(b) ? State.EXTENSION : null;
      case SIZE_LF -> b == '\n' ? data() : null;
      case DATA_CR -> b == '\r' ? State.DATA_LF : null;
      case DATA_LF -> b == '\n' ? newChunk() : null;
      case TRAILER -> b == '\r' ? State.END_LF : Ascii.isToken(b) ? State.TRAILER_NAME : null;
      case TRAILER_NAME ->
          b == ':' ? State.TRAILER_VALUE : Ascii.isToken(b) ? State.TRAILER_NAME : null;
      case TRAILER_VALUE -> b == '\r' ? State.TRAILER_LF : isValue(b) ? State.TRAILER_VALUE : null;
      case TRAILER_LF -> b == '\n' ? State.TRAILER : null;
      case DATA, END_LF -> throw new IllegalStateException();
    };
  }

  private @Nullable State size(byte b) {
    int digit = Character.digit(b, 16);
    if (digit >= 0) {
      sized = true;
      left = left * 16 + digit;
      return left <= Integer.MAX_VALUE ? State.SIZE : null;
    }
    if (!sized) {
      return null;
    }
    return b == '\r' ? State.SIZE_LF : b == ';' || b == ' ' ? State.EXTENSION : null;
  }

  private State data() {
    line = 0;
    return left == 0 ? State.TRAILER : State.DATA;
  }

  private State newChunk() {
    line = 0;
    sized = false;
    return State.SIZE;
  }

  private static boolean isValue(byte b) {
    return b < 0 || Ascii.isText(b);
  }
}
