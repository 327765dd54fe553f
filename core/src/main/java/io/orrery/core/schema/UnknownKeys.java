package io.orrery.core.schema;

/** Says what a key that a section does not have was probably meant to be. */
@FunctionalInterface
public interface UnknownKeys {
  /**
   * The end of the sentence that begins with "'key' is not a known key".
   *
   * @param own the author's pointer of the key
   * @param section canonical pointer of the section that it stands in
   * @param schema of the section
   */
  String advice(String key, String own, String section, Schema schema, Walk walk);
}
