package io.orrery.tuner.host;

import io.orrery.core.metric.MetricPoint;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.Assessor.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An assessor of the catalogue: it looks at numbers alone. */
record BuiltInAssessor(Assessor assessor) implements HostedAssessor {
  @Override
  public Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points) {
    return assessor.assess(trial, Curves.numbers(points));
  }

  @Override
  public void ended(String trial, boolean succeeded, List<MetricPoint> points, boolean seen) {
    assessor.ended(trial, succeeded, Curves.numbers(points));
  }
}
