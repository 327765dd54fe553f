package io.orrery.core.schema;

import java.util.Collection;
import java.util.Optional;

/**
 * The keys of a document in an older form, section by section, each with the canonical pointer of
 * what it became. Findings made on the canonical form name these keys.
 */
public interface OlderKeys {
  /** Says where each key stands. */
  void tell(Places places);

  /** The keys of a section by the author's pointer of it; empty when it has none of its own. */
  Collection<String> keys(String section);

  /** The canonical pointer of a key; empty when the section has no such key. */
  Optional<String> canonical(String section, String key);

  /**
   * Suggests the key that an unknown one was probably meant to be, as the end of a sentence. The
   * key that is suggested is not missed any more.
   */
  String advice(String section, String key, Walk walk);
}
