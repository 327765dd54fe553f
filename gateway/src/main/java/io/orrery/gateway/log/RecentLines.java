package io.orrery.gateway.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest lines of the log, as text: an event would hold on to whatever was logged. Named
 * in logback.xml, which makes the one of this process; thread safe.
 */
public final class RecentLines extends AppenderBase<ILoggingEvent> {
  /** Lines and characters of one line that are kept: at most 4 MB. */
  static final int MOST_LINES = 2_000;

  static final int MOST_CHARACTERS = 2_000;

  private static volatile @Nullable RecentLines current;

  private final Deque<Entry> lines = new ArrayDeque<>();

  /** The time of the oldest line that was ever taken. */
  private @Nullable Instant since;

  /**
   * A line of the log.
   *
   * @param source the last part of the logger's name
   */
  record Entry(Instant time, Level level, String source, String message) {}

  /** The severity of a line, in rising order. */
  enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /**
   * The lines that were found.
   *
   * @param since from when on all lines were considered; null when there are none
   */
  record Excerpt(@Nullable Instant since, List<Entry> newestFirst) {}

  /** What this process noted; empty when logback.xml names no such appender. */
  static Excerpt newest(int limit, Predicate<Entry> wanted) {
    RecentLines here = current;
    return here == null ? new Excerpt(null, List.of()) : here.excerpt(limit, wanted);
  }

  @Override
  public void start() {
    super.start();
    current = this;
  }

  @Override
  protected void append(ILoggingEvent event) {
    String logger = event.getLoggerName();
    Entry line =
        new Entry(
            event.getInstant(),
            switch (event.getLevel().toInt()) {
              case ch.qos.logback.classic.Level.ERROR_INT -> Level.ERROR;
              case ch.qos.logback.classic.Level.WARN_INT -> Level.WARN;
              case ch.qos.logback.classic.Level.INFO_INT -> Level.INFO;
              default -> Level.DEBUG;
            },
            logger.substring(logger.lastIndexOf('.') + 1),
            text(event));
    synchronized (lines) {
      since = lines.size() == MOST_LINES ? lines.removeFirst().time() : since;
      since = since == null ? line.time() : since;
      lines.addLast(line);
    }
  }

  /** The message, and what failed without the way there. */
  private static String text(ILoggingEvent event) {
    StringBuilder text = new StringBuilder(event.getFormattedMessage());
    for (IThrowableProxy cause = event.getThrowableProxy();
        cause != null && text.length() < MOST_CHARACTERS;
        cause = cause.getCause()) {
      text.append(": ").append(cause.getClassName()).append(": ").append(cause.getMessage());
    }
    return text.length() <= MOST_CHARACTERS
        ? text.toString()
        : text.substring(0, MOST_CHARACTERS) + "…";
  }

  private Excerpt excerpt(int limit, Predicate<Entry> wanted) {
    List<Entry> all;
    Instant from;
    synchronized (lines) {
      all = new ArrayList<>(lines);
      from = since;
    }
    return new Excerpt(from, all.reversed().stream().filter(wanted).limit(limit).toList());
  }
}
