package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The division of the requests of a service between two of its generations: pure. */
final class SharedRoute {
  /** The keys that belong to who gives the share, and not to who gets it. */
  private static final List<String> OF_THE_GIVER =
      List.of("split", "mirror", "compareBodies", "sticky", "hosts", "match", "hold");

  /** All requests, in percent. */
  static final int ALL = 100;

  /** As many as the route table reads. */
  private static final int DECIMALS = 6;

  private static final BigDecimal WHOLE = BigDecimal.valueOf(ALL);

  private SharedRoute() {}

  /** The service that gets a share, without endpoints. */
  static ObjectNode candidate(ObjectNode giver, String name) {
    ObjectNode candidate = giver.deepCopy();
    candidate.remove(OF_THE_GIVER);
    return candidate.put("name", name);
  }

  /**
   * Gives a share of the requests that a service answers itself to another one. What it gives to
   * others by its {@code split} stays as it is.
   *
   * @param percent 1 to 100, of the requests that the giver has kept
   */
  static void give(ObjectNode giver, String to, int percent) {
    String split = giver.path("split").asText("").strip();
    BigDecimal share =
        WHOLE
            .subtract(given(split))
            .multiply(BigDecimal.valueOf(percent))
            .divide(WHOLE, DECIMALS, RoundingMode.DOWN)
            .stripTrailingZeros();
    if (share.signum() > 0) {
      String term = to + ":" + share.toPlainString() + "%";
      giver.put("split", split.isEmpty() ? term : split + "," + term);
    }
  }

  /** The sum of the percents of terms such as {@code a:20%,b:30%}. */
  private static BigDecimal given(String split) {
    BigDecimal sum = BigDecimal.ZERO;
    for (String term : split.split("[,;]")) {
      int colon = term.indexOf(':');
      if (colon >= 0) {
        sum = sum.add(new BigDecimal(term.substring(colon + 1).replace("%", "").strip()));
      }
    }
    return sum;
  }
}
