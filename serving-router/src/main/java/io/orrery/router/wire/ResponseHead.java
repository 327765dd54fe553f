package io.orrery.router.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The head of an answer. What an endpoint says in a way that could be read as another length is not
 * understood, and nothing of it is passed on.
 */
final class ResponseHead extends MessageHead {
  /** The body comes in chunks. */
  static final long CHUNKED = -1;

  /** The body ends with the connection. */
  static final long UNTIL_CLOSED = -2;

  /** "HTTP/1.1 200". */
  private static final int STATUS_END = 12;

  private static final byte[] PREFIX = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CHUNKED_WORD = "chunked".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEEP_ALIVE_WORD = "keep-alive".getBytes(StandardCharsets.US_ASCII);

  /** What a Connection field cannot take away, because it is not the connection's. */
  private static final List<String> KEPT =
      List.of("host", "content-length", "content-type", "authorization", "cookie", "via");

  private int status;
  private boolean old;
  private long length;
  private boolean closes;
  private boolean dated;

  @Override
  int firstLine(int end) {
    byte[] b = bytes;
    for (int i = 0; i < PREFIX.length; i++) {
      if (i == end) {
        return INCOMPLETE;
      }
      if (b[i] != PREFIX[i]) {
        return ODD;
      }
    }
    if (end <= STATUS_END) {
      return INCOMPLETE;
    }
    if ((b[7] != '0' && b[7] != '1') || b[8] != ' ' || b[9] < '1' || b[9] > '9') {
      return ODD;
    }
    old = b[7] == '0';
    status = (int) Ascii.number(b, 9, STATUS_END);
    if (status < 0 || (b[STATUS_END] != ' ' && b[STATUS_END] != '\r')) {
      return ODD;
    }
    int at = STATUS_END;
    while (at < end && mayHold(b[at])) {
      at++;
    }
    return lineEnd(at, end);
  }

  @Override
  boolean mayHold(byte character) {
    return character < 0 || Ascii.isText(character);
  }

  @Override
  boolean understood() {
    length = UNTIL_CLOSED;
    closes = old;
    dated = false;
    boolean coded = false;
    for (int i = 0; i < count(); i++) {
      switch (name(i)) {
        case CONTENT_LENGTH -> {
          long said = Ascii.number(bytes, value(i), valueEnd(i));
          if (said < 0 || coded || (length >= 0 && length != said)) {
            return false;
          }
          if (length == said || status < 200 || status == 204) {
            // Once is enough, and where no body can follow there is no length (RFC 9110, 8.6).
            stay(i);
          }
          length = said;
        }
        case TRANSFER_ENCODING -> {
          if (coded
              || old
              || length >= 0
              || !Ascii.equalsIgnoreCase(bytes, value(i), valueEnd(i), CHUNKED_WORD)) {
            return false;
          }
          coded = true;
          length = CHUNKED;
          stay(i);
        }
        case DATE -> dated = true;
        case CONNECTION -> options(i);
        case KEEP_ALIVE, PROXY_CONNECTION, UPGRADE, PROXY_AUTHENTICATE -> stay(i);
        default -> {}
      }
    }
    return true;
  }

  private void options(int field) {
    stay(field);
    if (Ascii.equalsIgnoreCase(bytes, value(field), valueEnd(field), KEEP_ALIVE_WORD)) {
      // What nearly all say who say anything.
      closes = closes && !old;
      return;
    }
    for (String option : text(field).split(",")) {
      String name = option.strip().toLowerCase(Locale.ROOT);
      switch (name) {
        case "close" -> closes = true;
        case "keep-alive" -> closes = closes && !old;
        default -> {
          if (!name.isEmpty() && !KEPT.contains(name)) {
            stayAll(name.getBytes(StandardCharsets.US_ASCII));
          }
        }
      }
    }
  }

  int status() {
    return status;
  }

  /** Where the status line's version ends and the code begins. */
  int code() {
    return STATUS_END - 3;
  }

  /** Bytes of the body, {@link #CHUNKED} or {@link #UNTIL_CLOSED}. */
  long length() {
    return length;
  }

  /** Whether it says when it was made. */
  boolean dated() {
    return dated;
  }

  /** Whether the endpoint says that it closes the connection after this answer. */
  boolean closes() {
    return closes;
  }
}
