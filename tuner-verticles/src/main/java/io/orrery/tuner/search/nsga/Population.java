package io.orrery.tuner.search.nsga;

import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The best few of all results so far; a function of their sequence. */
final class Population {
  private final int size;
  private final List<Individual> members = new ArrayList<>();

  /** For each member the front that it lies in, 0 being dominated by none. */
  private int[] fronts = {};

  /** For each member how much room there is about it in its front. */
  private double[] room = {};

  /** Whether these two are those of the members; they are not needed while a long past is told. */
  private boolean ranked;

  /**
   * @param size how many live at a time
   */
  Population(int size) {
    this.size = size;
  }

  /** Takes in a result; when there are too many, the worst goes. */
  void add(Individual member) {
    members.add(member);
    ranked = false;
    if (members.size() > size) {
      rank();
      members.remove(
          IntStream.range(0, members.size()).boxed().max(this::compare).orElseThrow().intValue());
      ranked = false;
    }
  }

  /** Whether there are two members that can be compared. */
  boolean canBreed() {
    return members.stream().filter(member -> member.missing() == 0).limit(2).count() == 2;
  }

  /** The better of two that are drawn. */
  Individual parent(Rng rng) {
    if (!ranked) {
      rank();
    }
    int one = rng.nextInt(members.size());
    int other = rng.nextInt(members.size());
    return members.get(compare(one, other) <= 0 ? one : other);
  }

  /** Any of those that have a parameter; NaN when none has. */
  double anyPlace(int axis, Rng rng) {
    double[] places =
        members.stream()
            .mapToDouble(member -> member.row()[axis])
            .filter(place -> !Double.isNaN(place))
            .toArray();
    return places.length == 0 ? Double.NaN : places[rng.nextInt(places.length)];
  }

  /** The "crowded comparison": the better one first. */
  private int compare(int one, int other) {
    return fronts[one] != fronts[other]
        ? Integer.compare(fronts[one], fronts[other])
        : Double.compare(room[other], room[one]);
  }

  private void rank() {
    int count = members.size();
    int[] dominators = new int[count];
    List<List<Integer>> dominated = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dominated.add(new ArrayList<>());
    }
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (members.get(i).dominates(members.get(j))) {
          dominated.get(i).add(j);
          dominators[j]++;
        } else if (members.get(j).dominates(members.get(i))) {
          dominated.get(j).add(i);
          dominators[i]++;
        }
      }
    }
    fronts = new int[count];
    room = new double[count];
    List<Integer> front =
        IntStream.range(0, count).filter(i -> dominators[i] == 0).boxed().toList();
    for (int number = 0; !front.isEmpty(); number++) {
      List<Integer> next = new ArrayList<>();
      for (int member : front) {
        fronts[member] = number;
        for (int worse : dominated.get(member)) {
          if (--dominators[worse] == 0) {
            next.add(worse);
          }
        }
      }
      measureRoom(front);
      front = next;
    }
    ranked = true;
  }

  /** The "crowding distance": the sides of the box that its neighbours in the front leave. */
  private void measureRoom(List<Integer> front) {
    if (members.get(front.getFirst()).missing() > 0) {
      return;
    }
    int objectives = members.get(front.getFirst()).losses().length;
    for (int objective = 0; objective < objectives; objective++) {
      int column = objective;
      Integer[] order = front.toArray(Integer[]::new);
      Arrays.sort(order, Comparator.comparingDouble(i -> members.get(i).losses()[column]));
      double span = halfDistance(order[order.length - 1], order[0], column);
      room[order[0]] = Double.POSITIVE_INFINITY;
      room[order[order.length - 1]] = Double.POSITIVE_INFINITY;
      for (int i = 1; i < order.length - 1 && span > 0; i++) {
        room[order[i]] += halfDistance(order[i + 1], order[i - 1], column) / span;
      }
    }
  }

  /** Half of it, because the whole may be more than the largest number. */
  private double halfDistance(int one, int other, int objective) {
    return members.get(one).losses()[objective] / 2 - members.get(other).losses()[objective] / 2;
  }
}
