package io.orrery.studio.schedule;

import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.bus.contract.Schedules.Missed;
import io.orrery.core.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which instants of a schedule get a due run, and which due runs may start. It is pure:
 * time and state are passed in.
 */
public final class ScheduleModel {
  /** An instant that is later than this is a missed one. */
  public static final Duration LATE = Duration.ofMinutes(1);

  /** The most due runs of a schedule that wait; further instants are looked at when fewer do. */
  public static final int MOST_WAITING = 1_000;

  /** The most instants of one decision. */
  public static final int BATCH = 200;

  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter SHOWN_WITH_SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private final PipelineSchedule schedule;
  private final Calendar calendar;

  public ScheduleModel(PipelineSchedule schedule) {
    this.schedule = schedule;
    this.calendar = schedule.calendar();
  }

  /**
   * The instants that get a due run now.
   *
   * @param position the instant up to which the schedule has been decided then
   */
  public record Creation(List<Instant> instants, Instant position) {
    public Creation {
      instants = List.copyOf(instants);
    }
  }

  /**
   * Decides on the instants that have passed.
   *
   * @param position the instant up to which it has been decided
   * @param waiting the number of due runs that wait
   */
  public Creation create(Instant position, Instant now, int waiting) {
    int room = Math.min(BATCH, MOST_WAITING - waiting);
    if (room <= 0) {
      return new Creation(List.of(), position);
    }
    Instant late = now.minus(LATE);
    Optional<Instant> first = calendar.next(position);
    boolean missed = first.isPresent() && !first.get().isAfter(late);
    if (schedule.missed() == Missed.ALL || !missed) {
      return upTo(calendar.between(position, now, room), position);
    }
    List<Instant> fresh = calendar.between(late, now, room);
    if (fresh.isEmpty() && schedule.missed() == Missed.LATEST) {
      fresh = calendar.last(position, late).stream().toList();
    }
    return upTo(fresh, late);
  }

  /**
   * The instants that a decision passed over because the server came too late to them, at most as
   * many as one decision has.
   */
  public List<Instant> missed(Instant position, Creation creation, Instant now) {
    Instant late = now.minus(LATE);
    if (schedule.missed() == Missed.ALL || !late.isAfter(position)) {
      return List.of();
    }
    Instant end = creation.position().isBefore(late) ? creation.position() : late;
    return calendar.between(position, end, BATCH).stream()
        .filter(each -> !creation.instants().contains(each))
        .toList();
  }

  private static Creation upTo(List<Instant> instants, Instant otherwise) {
    boolean beyond = !instants.isEmpty() && instants.getLast().isAfter(otherwise);
    return new Creation(instants, beyond ? instants.getLast() : otherwise);
  }

  /** The first instant that has not been decided; empty when there is none to wait for. */
  public Optional<Instant> next(Instant position, int waiting) {
    return waiting >= MOST_WAITING ? Optional.empty() : calendar.next(position);
  }

  /**
   * The reasons of the due runs that must wait, by id; all others that wait may be submitted now.
   *
   * @param rows in the order of their instants: those that wait, those whose runs are under way,
   *     and the one before each that waits
   */
  public Map<String, String> reasons(boolean paused, List<DueState> rows) {
    Map<String, String> reasons = new LinkedHashMap<>();
    long active = rows.stream().filter(DueState::active).count();
    DueState before = null;
    for (DueState row : rows) {
      if (row.waits()) {
        String reason = paused ? "the schedule is paused" : past(before);
        if (reason == null && active >= schedule.maxActiveRuns()) {
          reason =
              schedule.maxActiveRuns() == 1
                  ? "waits until no other run of the schedule is under way (maxActiveRuns: 1)"
                  : "waits until fewer than %,d runs of the schedule are under way (maxActiveRuns)"
                      .formatted(schedule.maxActiveRuns());
        }
        if (reason == null) {
          active++;
        } else {
          reasons.put(row.id(), reason);
        }
      }
      before = row;
    }
    return reasons;
  }

  /** The reason for which a due run waits for the one before it; null when it does not. */
  private @Nullable String past(@Nullable DueState before) {
    if (!schedule.dependsOnPast() || before == null) {
      return null;
    }
    String run = "waits for the run due " + shown(before.due());
    RunStatus status = before.runStatus();
    return switch (before.status()) {
      case SKIPPED -> null;
      case COMED -> run + ", which waits as well";
      case REFUSED -> run + ", which was refused: run it again, or skip it";
      case CREATED -> {
        if (status == RunStatus.SUCCEEDED) {
          yield null;
        }
        yield status == null || !status.isOver()
            ? run + ", which is under way"
            : run + ", " + status + ": retry it, or skip it";
      }
    };
  }

  /** An instant as its schedule has it. */
  private String shown(Instant at) {
    DateTimeFormatter form = at.getEpochSecond() % 60 == 0 ? SHOWN : SHOWN_WITH_SECONDS;
    return form.format(at.atZone(schedule.zone()));
  }

  /** Whether a due run is over for good, unless it is run again. */
  public static boolean isOver(DueStatus status, @Nullable RunStatus runStatus) {
    return switch (status) {
      case COMED -> false;
      case CREATED -> runStatus != null && runStatus.isOver();
      case SKIPPED, REFUSED -> true;
    };
  }
}
