package io.orrery.benchmarks.router.hostile;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The effect of one kind of hostile client on the router and on other clients.
 *
 * @param rssMb the most resident memory of its process meanwhile; -1 when it has ended
 * @param heapMb what was alive of its heap at the end, the hostile clients still there
 * @param p99NormalMs of the well-behaved clients just before
 * @param p99BesideMs of the same while the hostile clients attacked another router
 * @param p99Ms of the same meanwhile
 * @param failed requests of theirs without a 200
 * @param alive whether a new client is answered afterwards
 */
record HostileFinding(
    String kind,
    double rssMb,
    double heapMb,
    double p99NormalMs,
    double p99BesideMs,
    double p99Ms,
    int failed,
    boolean alive) {
  /** Whether well-behaved clients waited more than twice as long as beside another router. */
  boolean isSlow() {
    return p99Ms > 2 * Math.max(p99NormalMs, p99BesideMs);
  }

  String[] cells() {
    return new String[] {
      kind,
      text(rssMb),
      text(heapMb),
      text(p99NormalMs),
      text(p99BesideMs),
      text(p99Ms),
      Integer.toString(failed),
      Boolean.toString(alive)
    };
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  Map<String, Object> line() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("kind", kind);
    line.put("rssMb", rssMb);
    line.put("heapMb", heapMb);
    line.put("p99NormalMs", p99NormalMs);
    line.put("p99BesideMs", p99BesideMs);
    line.put("p99Ms", p99Ms);
    line.put("failed", failed);
    line.put("alive", alive);
    return line;
  }
}
