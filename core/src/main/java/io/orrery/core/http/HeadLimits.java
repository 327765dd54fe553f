package io.orrery.core.http;

import java.util.Iterator;

/**
 * The limit of the fields in the head of a message. Each field costs several passes over all of
 * them, so that a head within its bytes can still be too dear.
 */
public final class HeadLimits {
  /** The fields that a head may have. */
  public static final int MOST_FIELDS = 128;

  private HeadLimits() {}

  /**
   * Whether a head has more fields than one may have. The size of its map would not tell: that
   * counts names.
   *
   * @param fields all of them; read no further than it takes
   */
  public static boolean areTooMany(Iterator<?> fields) {
    int count = 0;
    while (fields.hasNext() && count <= MOST_FIELDS) {
      fields.next();
      count++;
    }
    return count > MOST_FIELDS;
  }
}
