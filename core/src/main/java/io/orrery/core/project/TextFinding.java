package io.orrery.core.project;

import io.orrery.core.problem.Finding;

/**
 * A finding in a text of one of the grammars, with its place in the text.
 *
 * @param offset the index of the first character that it is about, in UTF-16 units, from 0 to the
 *     length of the text
 * @param length the number of such characters; 0 when something is missing at the offset
 * @param message what is wrong and what would be right, without the place
 */
public record TextFinding(int offset, int length, String message) {
  /**
   * The same as a finding of the document that holds the text; its message tells the place, counted
   * from 1: {@code at character 14: …}.
   *
   * @param pointer to the text, an RFC 6901 JSON pointer
   */
  public Finding at(String pointer) {
    return new Finding(pointer, "at character " + (offset + 1) + ": " + message);
  }
}
