package io.orrery.core.text;

import java.util.regex.Pattern;

/** A test of addresses of mail: the usual ones, without quotes, comments or display names. */
public final class MailAddress {
  /** The longest that a mail server takes (RFC 5321). */
  private static final int MOST = 254;

  private static final Pattern FORM =
      Pattern.compile(
          "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
              + "@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

  private MailAddress() {}

  /** Whether a text is an address. */
  public static boolean isOne(String text) {
    return text.length() <= MOST && FORM.matcher(text).matches();
  }
}
