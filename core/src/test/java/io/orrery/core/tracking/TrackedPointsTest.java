package io.orrery.core.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.tracking.TrackedPoints.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrackedPointsTest {
  @Test
  void pointsComeOutAsTheyWentIn() {
    Random random = new Random(1);
    List<Point> points = new ArrayList<>();
    TrackedPoints packed = new TrackedPoints();
    for (int i = 0; i < 1_000; i++) {
      points.add(new Point(random.nextLong(), random.nextLong(), random.nextDouble()));
      packed.add(points.getLast().timestamp(), points.getLast().step(), points.getLast().value());
    }

    byte[] bytes = packed.toBytes();

    assertThat(TrackedPoints.count(bytes)).isEqualTo(points.size());
    for (int i = 0; i < points.size(); i++) {
      assertThat(TrackedPoints.at(bytes, i)).isEqualTo(points.get(i));
    }
  }

  @Test
  void theLatestHasTheLargestStepThenTimeThenValue() {
    Random random = new Random(2);
    for (int round = 0; round < 500; round++) {
      List<Point> points = new ArrayList<>();
      TrackedPoints packed = new TrackedPoints();
      for (int i = random.nextInt(6); i >= 0; i--) {
        points.add(new Point(random.nextInt(3), random.nextInt(3) - 1, random.nextInt(3)));
        packed.add(points.getLast().timestamp(), points.getLast().step(), points.getLast().value());
      }

      assertThat(packed.latest())
          .isEqualTo(
              points.stream()
                  .max(
                      Comparator.comparingLong(Point::step)
                          .thenComparingLong(Point::timestamp)
                          .thenComparingDouble(Point::value))
                  .orElseThrow());
    }
  }
}
