package io.orrery.tuner.search.nsga;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A measure of how much of the space below a reference point some results dominate (Zitzler,
 * Thiele, 1999), all objectives to be minimised; for two and three of them.
 */
final class Hypervolume {
  private Hypervolume() {}

  static double of(List<double[]> results, double[] reference) {
    List<double[]> inside = new ArrayList<>();
    for (double[] result : results) {
      boolean below = true;
      for (int i = 0; i < reference.length; i++) {
        below &= result[i] < reference[i];
      }
      if (below) {
        inside.add(result);
      }
    }
    return reference.length == 2 ? area(inside, reference) : volume(inside, reference);
  }

  private static double area(List<double[]> results, double[] reference) {
    double area = 0;
    double height = reference[1];
    for (double[] result :
        results.stream().sorted(Comparator.comparingDouble(r -> r[0])).toList()) {
      if (result[1] < height) {
        area += (reference[0] - result[0]) * (height - result[1]);
        height = result[1];
      }
    }
    return area;
  }

  /** Slice by slice along the third objective. */
  private static double volume(List<double[]> results, double[] reference) {
    List<double[]> order = results.stream().sorted(Comparator.comparingDouble(r -> r[2])).toList();
    double volume = 0;
    for (int i = 0; i < order.size(); i++) {
      double next = i + 1 < order.size() ? order.get(i + 1)[2] : reference[2];
      if (next > order.get(i)[2]) {
        volume += area(order.subList(0, i + 1), reference) * (next - order.get(i)[2]);
      }
    }
    return volume;
  }
}
