package io.orrery.studio.service;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.PortRange;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.service.ExposeReader.Wish;
import io.orrery.studio.service.PortTable.PortRow;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Chooses the numbers of a stage's exposed ports: pure. A port keeps the number that it has; new
 * ones that are given follow each other, as far as there is such a place.
 */
final class PortPlan {
  private final PortRange range;
  private final Map<Integer, PortRow> holders = new HashMap<>();
  private final Map<Integer, Integer> own = new HashMap<>();
  private final Set<Integer> busy;

  /**
   * @param rows of the stage, and of whatever has a number that is wished for
   * @param busy numbers that other programs have
   */
  PortPlan(
      PortRange range,
      List<PortRow> rows,
      ServiceName service,
      ServiceStage stage,
      Set<Integer> busy) {
    this.range = range;
    this.busy = busy;
    for (PortRow row : rows) {
      if (row.isOf(service, stage)) {
        own.put(row.exposed().target(), row.exposed().number());
      } else {
        holders.put(row.exposed().number(), row);
      }
    }
  }

  /**
   * The numbers of the ports that are wished for by number, or have one already.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when a number is taken
   */
  Map<Integer, Integer> known(List<Wish> wishes) {
    Map<Integer, Integer> numbers = new TreeMap<>();
    for (Wish wish : wishes) {
      Integer number = wish.number();
      if (number != null) {
        refuseTaken(number);
        numbers.put(wish.target(), number);
      }
    }
    for (Wish wish : wishes) {
      Integer kept = own.get(wish.target());
      if (wish.number() == null
          && kept != null
          && !busy.contains(kept)
          && range.contains(kept)
          && !numbers.containsValue(kept)) {
        numbers.put(wish.target(), kept);
      }
    }
    return numbers;
  }

  /**
   * The number of each port.
   *
   * @param all the numbers of the range that any stage has
   * @throws io.orrery.core.problem.ProblemException Refused when a number is taken, or none is left
   */
  Map<Integer, Integer> numbers(List<Wish> wishes, Collection<Integer> all) {
    Map<Integer, Integer> numbers = known(wishes);
    Set<Integer> taken = new HashSet<>(all);
    taken.removeAll(own.values());
    List<Integer> left =
        wishes.stream().map(Wish::target).filter(port -> !numbers.containsKey(port)).toList();
    OptionalInt run =
        range
            .numbers()
            .filter(first ->
                left.stream()
                    .allMatch(port -> isFree(numbers, taken).test(first + left.indexOf(port))))
            .findFirst();
    for (Integer port : left) {
      numbers.put(
          port,
          run.isPresent()
              ? run.getAsInt() + left.indexOf(port)
              : range.numbers().filter(isFree(numbers, taken)).findFirst().orElseThrow(this::full));
    }
    return numbers;
  }

  private IntPredicate isFree(Map<Integer, Integer> given, Set<Integer> taken) {
    return number ->
        range.contains(number)
            && !taken.contains(number)
            && !busy.contains(number)
            && !given.containsValue(number);
  }

  private void refuseTaken(int number) {
    PortRow holder = holders.get(number);
    if (holder != null) {
      throw refused("port %d is that of the service %s".formatted(number, holder.service()));
    }
    if (!range.contains(number)) {
      throw refused(
          "port %d is not among those that services may have, which are %s"
              .formatted(number, range));
    }
  }

  private RuntimeException full() {
    return refused("no port of %s is free".formatted(range));
  }

  private static RuntimeException refused(String sentence) {
    return new Problem.Refused(new Finding("/expose", sentence)).toException();
  }
}
