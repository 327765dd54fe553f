package io.orrery.router.route;

import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import java.util.List;

/**
 * Reads a table, YAML or JSON: {@code {services: […]}}. A document with a fault is refused whole,
 * with all of its faults and the place of each.
 */
public final class RouteReader {
  private RouteReader() {}

  /**
   * Reads a document that holds nothing but services, as a table without other layers.
   *
   * @param domain what every host ends with
   * @throws io.orrery.core.problem.ProblemException Refused
   */
  public static RouteTable read(String text, String domain) {
    return RouteTable.empty(domain).with(RouteLayer.TABLE, 0, text, References.REQUIRED);
  }

  /** Reads the services of a larger document, as a table; notes what is wrong. */
  static RouteTable read(Document document, Section root, String domain, List<Finding> findings) {
    LayerDraft draft = LayerDraft.read(RouteLayer.TABLE, 0, document, root, domain, findings);
    return new TableAssembly(RouteTable.empty(domain), draft, References.REQUIRED).checked();
  }

  static void refuse(Document document, List<Finding> findings) {
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(document.placed(findings)).toException();
    }
  }
}
