package io.orrery.gateway.auth;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Reads fields of a form in {@code application/x-www-form-urlencoded} (WHATWG URL standard). */
final class FormText {
  private FormText() {}

  /** The first value of a field; empty when there is none, or its escapes cannot be read. */
  static String field(String text, String name) {
    for (String pair : text.split("&")) {
      if (pair.startsWith(name + "=")) {
        try {
          return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
          return "";
        }
      }
    }
    return "";
  }
}
