package io.orrery.core.project;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the findings and notices of one text. */
final class TextFindings {
  private final List<TextFinding> findings = new ArrayList<>();
  private final List<TextFinding> notices = new ArrayList<>();

  void wrong(TextEntry place, String message) {
    findings.add(new TextFinding(place.offset(), place.text().length(), message));
  }

  void notice(TextEntry place, String message) {
    notices.add(new TextFinding(place.offset(), place.text().length(), message));
  }

  /** Adds a finding and returns false when the text has more characters than allowed. */
  boolean allows(String text, int mostCharacters) {
    if (text.length() > mostCharacters) {
      findings.add(
          new TextFinding(
              mostCharacters,
              text.length() - mostCharacters,
              "the text has %,d characters, and at most %,d are allowed"
                  .formatted(text.length(), mostCharacters)));
    }
    return text.length() <= mostCharacters;
  }

  /** Says whether the text is right so far. */
  boolean none() {
    return findings.isEmpty();
  }

  /** The value with all findings and notices in the order of the text. */
  <T> Parsed<T> with(T value) {
    findings.sort(Comparator.comparingInt(TextFinding::offset));
    notices.sort(Comparator.comparingInt(TextFinding::offset));
    return new Parsed<>(value, findings, notices);
  }
}
