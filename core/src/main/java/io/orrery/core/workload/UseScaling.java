package io.orrery.core.workload;

import java.util.Map;

/**
 * The rule by which a cluster itself changes the number of replicas, where it can: by what they
 * use.
 *
 * @param least the smallest number, 1 or more
 * @param most the largest number, more than the smallest
 * @param each what one replica is to use, by {@link Readings#CPU} in cores, {@link Readings#MEMORY}
 *     in bytes and {@link Readings#GPU}; not empty
 */
public record UseScaling(int least, int most, Map<String, Double> each) {
  public UseScaling {
    each = Map.copyOf(each);
  }
}
