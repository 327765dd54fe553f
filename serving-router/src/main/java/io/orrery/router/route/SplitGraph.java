package io.orrery.router.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The graph of who gives a part of its requests to whom, by places in a table. It finds circles,
 * and counts the parts out so that a request draws once.
 */
final class SplitGraph {
  private static final int MOST_STEPS = 50;

  private enum Mark {
    ON_THE_WAY,
    DONE
  }

  private final List<Service> services;
  private final List<Map<Integer, Double>> parts;

  /**
   * @param parts of each service the places of its targets, with their part from 0 to 1
   */
  SplitGraph(List<Service> services, List<Map<Integer, Double>> parts) {
    this.services = services;
    this.parts = parts;
  }

  /**
   * Whether requests could come back to a service.
   *
   * @param note is told of each circle and each way that is too long once: a service on it, and
   *     what is wrong
   */
  boolean isCircular(BiConsumer<Service, String> note) {
    boolean[] found = {false};
    Map<Integer, Mark> marks = new HashMap<>();
    for (Service service : services) {
      walk(
          service.place(),
          marks,
          new ArrayList<>(),
          (at, fault) -> {
            found[0] = true;
            note.accept(at, fault);
          });
    }
    return found[0];
  }

  private void walk(
      int at, Map<Integer, Mark> marks, List<Integer> way, BiConsumer<Service, String> note) {
    if (marks.get(at) == Mark.DONE) {
      return;
    }
    marks.put(at, Mark.ON_THE_WAY);
    way.add(at);
    if (way.size() > MOST_STEPS) {
      note.accept(
          services.get(way.getFirst()),
          "a split that leads through more than " + MOST_STEPS + " services is a mistake");
    } else {
      for (int target : parts.get(at).keySet()) {
        if (marks.get(target) == Mark.ON_THE_WAY) {
          List<String> ring =
              way.subList(way.indexOf(target), way.size()).stream()
                  .map(place -> services.get(place).name())
                  .toList();
          note.accept(
              services.get(at),
              "a cycle: " + String.join(" → ", ring) + " → " + services.get(target).name());
        } else {
          walk(target, marks, way, note);
        }
      }
    }
    way.removeLast();
    marks.put(at, Mark.DONE);
  }

  /** How the requests of each service are divided, by place; only where there is no circle. */
  List<Split> splits() {
    List<Split> splits = new ArrayList<>(services.size());
    for (Service service : services) {
      splits.add(flat(service.place()));
    }
    return splits;
  }

  private Split flat(int owner) {
    if (parts.get(owner).isEmpty()) {
      return Split.whole(owner);
    }
    Map<Integer, Double> all = new LinkedHashMap<>();
    spread(owner, 1, all);
    double ofOwner = all.getOrDefault(owner, 0.0);
    all.remove(owner);
    all.values().removeIf(part -> part <= 0);
    int[] targets = new int[all.size() + 1];
    double[] ends = new double[targets.length];
    int i = 0;
    double end = 0;
    for (Map.Entry<Integer, Double> target : all.entrySet()) {
      targets[i] = target.getKey();
      end += target.getValue();
      ends[i++] = ofOwner <= 1e-12 && i == all.size() ? 1 : end;
    }
    targets[i] = owner;
    ends[i] = 1;
    return new Split(targets, ends);
  }

  private void spread(int at, double share, Map<Integer, Double> all) {
    double rest = 1;
    for (Map.Entry<Integer, Double> part : parts.get(at).entrySet()) {
      spread(part.getKey(), share * part.getValue(), all);
      rest -= part.getValue();
    }
    all.merge(at, share * Math.max(0, rest), Double::sum);
  }
}
