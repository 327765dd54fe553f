package io.orrery.core.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the head of a request is refused, as its client is told.
 *
 * @param status 400, 414, 431, 501 or 505
 * @param kind the last part of the problem's type (RFC 9457)
 * @param title a few words
 * @param detail a sentence
 */
public record HeadFault(int status, String kind, String title, String detail) {

  /** The fault of a head that cannot be read, or not in one way alone. */
  public static HeadFault malformed(String detail) {
    return new HeadFault(400, "malformed", "The request cannot be read", detail);
  }

  static HeadFault version(String version) {
    return new HeadFault(
        505,
        "version",
        "This version of HTTP is not spoken here",
        "A request says " + version + "; HTTP/1.0 and HTTP/1.1 are read in this form.");
  }

  static HeadFault connect() {
    return new HeadFault(
        501,
        "unsupported",
        "This is no forward proxy",
        "CONNECT is for proxies that go where their clients say.");
  }

  /**
   * The fault of a request line, or what would be one, that is too long.
   *
   * @param most bytes that it may have
   */
  public static HeadFault tooLongLine(int most) {
    return new HeadFault(
        414,
        "uri-too-long",
        "The address is too long",
        String.format(Locale.ROOT, "A request line may have %,d bytes.", most));
  }

  /** The fault of a head with more than {@link HeadLimits#MOST_FIELDS} fields. */
  public static HeadFault tooManyFields() {
    return new HeadFault(
        431,
        "too-many-headers",
        "There are too many headers",
        "A request may have %d header fields.".formatted(HeadLimits.MOST_FIELDS));
  }

  /**
   * The fault that kept a request from being decoded.
   *
   * @param cause of the decoder; null when it names none
   * @param mostLine bytes that a request line may have
   * @param mostFields bytes that all header fields together may have
   */
  public static HeadFault of(@Nullable Throwable cause, int mostLine, int mostFields) {
    return switch (cause) {
      case RefusedHeadException refused -> refused.fault();
      case TooLongHttpLineException _ -> tooLongLine(mostLine);
      case TooLongHttpHeaderException _ ->
          new HeadFault(
              431,
              "headers-too-large",
              "The headers are too long",
              String.format(Locale.ROOT, "All headers together may have %,d bytes.", mostFields));
      case null, default -> malformed("The request is not well-formed HTTP/1.1.");
    };
  }
}
