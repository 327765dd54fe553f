package io.orrery.core.project;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.List;

/**
 * The result of reading a text of one of the grammars.
 *
 * @param <T> the type of the value
 * @param value all that could be read; complete only when there are no findings
 * @param findings all that is wrong, in the order of the text; with one of them the text is refused
 * @param notices remarks on a text that is accepted, in the order of the text
 */
public record Parsed<T>(T value, List<TextFinding> findings, List<TextFinding> notices) {
  public Parsed {
    findings = List.copyOf(findings);
    notices = List.copyOf(notices);
  }

  /**
   * The value of a text without findings.
   *
   * @param pointer to the text in its document, empty when the text is all there is
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  public T orThrow(String pointer) {
    if (!findings.isEmpty()) {
      List<Finding> all = findings.stream().map(finding -> finding.at(pointer)).toList();
      throw Problem.Refused.of(all).toException();
    }
    return value;
  }
}
