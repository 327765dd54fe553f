package io.orrery.cli.apply;

import io.orrery.core.problem.Finding;
import java.util.List;

/** A refusal of a document by the command itself, with what is wrong in it. */
final class DocumentRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  DocumentRefused(List<Finding> findings) {
    super(findings.toString(), null, false, false);
    this.findings = List.copyOf(findings);
  }

  List<Finding> findings() {
    return findings;
  }
}
