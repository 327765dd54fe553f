package io.orrery.core.sql;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The cursor at the end of a page of a list. It is opaque to clients, and checked when it comes
 * back.
 *
 * @param number a time, a sequence number or an offset, as the list says
 * @param mark decides between equals, or says to which of several lists it belongs
 */
public record Cursor(long number, String mark) {
  /** The cursor as a client sees it. */
  public String text() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((number + " " + mark).getBytes(StandardCharsets.UTF_8));
  }

  /** Reads the text of one; Refused when it is none. */
  public static Cursor parse(String text) {
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      int space = plain.indexOf(' ');
      return new Cursor(Long.parseLong(plain.substring(0, space)), plain.substring(space + 1));
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new Problem.Refused(
              new Finding("/cursor", "not a cursor of this list: take it from 'next' of a page"))
          .toException();
    }
  }
}
