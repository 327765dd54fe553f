package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about reported values; the metrics module answers. */
public final class Metrics {
  /** {@link MetricSink#append} for a caller in another process. */
  public static final Address<Append, MetricSink.Receipt> APPEND =
      new Address<>("metrics.append", Append.class, MetricSink.Receipt.class);

  /**
   * The final result of an attempt. Everything that was handed in before the question is in the
   * answer: it waits for what is still being written.
   */
  public static final Address<FinalOf, Final> FINAL =
      new Address<>("metrics.final", FinalOf.class, Final.class);

  /** The intermediate results of a trial, down-sampled with first, last and extremes kept. */
  public static final Address<SeriesOf, Series> SERIES =
      new Address<>("metrics.series", SeriesOf.class, Series.class);

  /**
   * The same of many trials for one chart: the numbers alone. It costs what is new since they were
   * last looked at, and what is shown.
   */
  public static final Address<CurvesOf, Curves> CURVES =
      new Address<>("metrics.curves", CurvesOf.class, Curves.class);

  /** The last results of some trials of one experiment. One question for many. */
  public static final Address<LatestOf, Latest> LATEST =
      new Address<>("metrics.latest", LatestOf.class, Latest.class);

  /** All that the last attempt of a trial has reported, in its order, page by page. */
  public static final Address<PointsSince, Stretch> POINTS =
      new Address<>("metrics.points", PointsSince.class, Stretch.class);

  /** What this server tells Prometheus. */
  public static final Address<Scrape, Scraped> SCRAPE =
      new Address<>("metrics.scrape", Scrape.class, Scraped.class);

  /** Drops all points of an experiment: answered when they are not visible any more. */
  public static final Address<Forget, Forgotten> FORGET =
      new Address<>("metrics.forget", Forget.class, Forgotten.class).waiting(Address.LONG);

  /** New points of one experiment are durable: {@code STORED.of(experiment)}. */
  public static final Topic<Stored> STORED = new Topic<>("metrics.stored", Stored.class);

  /**
   * New final results are durable, of whichever experiment: for the modules that must learn of a
   * result though its experiment is over and has no owner any more. Told in the process that has
   * the log.
   */
  public static final Topic<StoredFinals> FINALS =
      new Topic<>("metrics.finals", StoredFinals.class);

  private Metrics() {}

  public record Append(List<MetricPoint> points) {
    public Append {
      points = List.copyOf(points);
    }
  }

  public record FinalOf(AttemptRef attempt) {}

  /**
   * The final result of an attempt.
   *
   * @param point the last FINAL of the attempt, null when it reported none
   */
  public record Final(@Nullable MetricPoint point) {}

  /**
   * A request for the series of a trial.
   *
   * @param maxPoints at most this many points, 2 or more
   * @param key which number of an object; null is {@code default}
   * @param from only points of this sequence number and later
   * @param to only points of this sequence number and earlier
   */
  public record SeriesOf(TrialRef trial, int maxPoints, @Nullable String key, long from, long to) {
    /** All of them. */
    public SeriesOf(TrialRef trial, int maxPoints, @Nullable String key) {
      this(trial, maxPoints, key, Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  /**
   * The series of a trial.
   *
   * @param points of the last attempt, in their order
   * @param total how many there are before down-sampling, in the stretch that was asked for
   */
  public record Series(List<MetricPoint> points, @Nullable MetricPoint result, long total) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * A request for the curves of many trials.
   *
   * @param maxPoints at most this many points of each trial, 2 or more
   * @param from only points of this sequence number and later
   * @param to only points of this sequence number and earlier
   */
  public record CurvesOf(List<TrialRef> trials, int maxPoints, long from, long to) {
    public CurvesOf {
      trials = List.copyOf(trials);
    }
  }

  /**
   * The curves of many trials.
   *
   * @param curves in the order of the trials that were asked for
   */
  public record Curves(List<Curve> curves) {
    public Curves {
      curves = List.copyOf(curves);
    }
  }

  /**
   * The intermediate results of a trial's last attempt, one place of each array for each; the
   * arrays are not changed.
   *
   * @param attempt which one that is, 0 when the trial has reported nothing
   * @param sequences ascending
   * @param times milliseconds since the epoch
   * @param result its last FINAL, null when it reported none
   * @param total how many there are before down-sampling, in the stretch that was asked for
   */
  @SuppressWarnings("ArrayRecordComponent") // hundreds of thousands of numbers, never compared
  public record Curve(
      int attempt,
      long[] sequences,
      double[] values,
      long[] times,
      @Nullable MetricPoint result,
      long total) {}

  /**
   * A request for the latest results of some trials.
   *
   * @param trials a few hundred at most
   */
  public record LatestOf(ExperimentId experiment, List<TrialId> trials) {
    public LatestOf {
      trials = List.copyOf(trials);
    }
  }

  /**
   * The latest results of some trials.
   *
   * @param ends in the order of the trials that were asked for
   */
  public record Latest(List<Ends> ends) {
    public Latest {
      ends = List.copyOf(ends);
    }
  }

  /**
   * The last intermediate and final result of a trial's last attempt.
   *
   * @param intermediate the one with the highest sequence number, null when it reported none
   * @param result its last FINAL, null when it reported none
   */
  public record Ends(@Nullable MetricPoint intermediate, @Nullable MetricPoint result) {}

  /**
   * A request for the points after a place.
   *
   * @param since {@link Stretch#next} of before; null begins with the first point
   * @param maxPoints the page ends soon after this many, with the batch that was reported together
   */
  public record PointsSince(TrialRef trial, @Nullable String since, int maxPoints) {}

  /**
   * A stretch of points of a trial.
   *
   * @param points of the last attempt; when a new attempt began since the page before, from its
   *     beginning. Empty when there is nothing new
   * @param next where the next page begins; null as long as nothing was reported
   */
  public record Stretch(List<MetricPoint> points, @Nullable String next) {
    public Stretch {
      points = List.copyOf(points);
    }
  }

  public record Scrape() {}

  /**
   * The metrics of the server.
   *
   * @param text in Prometheus's text format 0.0.4
   */
  public record Scraped(String text) {}

  public record Forget(ExperimentId experiment) {}

  public record Forgotten() {}

  /** A batch, in the order in which it became durable; a hint, not the record. */
  public record Stored(ExperimentId experiment, List<MetricPoint> points) {
    public Stored {
      points = List.copyOf(points);
    }
  }

  /** The final results of a batch, in the order in which they became durable. */
  public record StoredFinals(List<MetricPoint> points) {
    public StoredFinals {
      points = List.copyOf(points);
    }
  }
}
