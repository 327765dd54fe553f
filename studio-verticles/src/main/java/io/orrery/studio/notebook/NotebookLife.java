package io.orrery.studio.notebook;

import static io.orrery.core.notebook.NotebookStatus.FAILED;
import static io.orrery.core.notebook.NotebookStatus.IDLE;
import static io.orrery.core.notebook.NotebookStatus.RUNNING;
import static io.orrery.core.notebook.NotebookStatus.STARTING;
import static io.orrery.core.notebook.NotebookStatus.STOPPED;
import static io.orrery.core.notebook.NotebookStatus.STOPPING;
import static io.orrery.core.notebook.NotebookStatus.UNREACHABLE;
import static io.orrery.core.notebook.NotebookStatus.WAITING;
import static io.orrery.studio.notebook.NotebookLife.Signal.ANSWER;
import static io.orrery.studio.notebook.NotebookLife.Signal.END;
import static io.orrery.studio.notebook.NotebookLife.Signal.FAIL;
import static io.orrery.studio.notebook.NotebookLife.Signal.LACK;
import static io.orrery.studio.notebook.NotebookLife.Signal.LOSE;
import static io.orrery.studio.notebook.NotebookLife.Signal.REST;
import static io.orrery.studio.notebook.NotebookLife.Signal.START;
import static io.orrery.studio.notebook.NotebookLife.Signal.STOP;

import io.orrery.core.notebook.NotebookStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The life of a notebook, as a table. A status is what is wanted and what is seen, so a look may
 * find a notebook in a status without having seen the way there; the table has these steps as well.
 */
final class NotebookLife {
  /** A signal that moves a notebook to its next status. */
  enum Signal {
    /** A program is wanted, and on its way. */
    START,
    /** The program lacks something. */
    LACK,
    /** The program answers, and is used. */
    ANSWER,
    /** The program answers, and has not been used for a while. */
    REST,
    /** No program is wanted any more, and one is there. */
    STOP,
    /** No program is wanted, and none is there. */
    END,
    /** The program has ended by itself, or cannot start. */
    FAIL,
    /** The program, its machine or its cluster does not answer any more. */
    LOSE
  }

  /** A row of the table. */
  record Transition(NotebookStatus from, Signal signal, NotebookStatus to) {}

  static final List<Transition> TABLE =
      List.of(
          new Transition(STOPPED, START, STARTING),
          new Transition(STARTING, LACK, WAITING),
          new Transition(STARTING, ANSWER, RUNNING),
          new Transition(STARTING, FAIL, FAILED),
          new Transition(STARTING, LOSE, UNREACHABLE),
          new Transition(STARTING, STOP, STOPPING),
          new Transition(WAITING, START, STARTING),
          new Transition(WAITING, FAIL, FAILED),
          new Transition(WAITING, LOSE, UNREACHABLE),
          new Transition(WAITING, STOP, STOPPING),
          new Transition(RUNNING, REST, IDLE),
          new Transition(RUNNING, START, STARTING),
          new Transition(RUNNING, FAIL, FAILED),
          new Transition(RUNNING, LOSE, UNREACHABLE),
          new Transition(RUNNING, STOP, STOPPING),
          new Transition(IDLE, ANSWER, RUNNING),
          new Transition(IDLE, START, STARTING),
          new Transition(IDLE, FAIL, FAILED),
          new Transition(IDLE, LOSE, UNREACHABLE),
          new Transition(IDLE, STOP, STOPPING),
          new Transition(STOPPING, END, STOPPED),
          new Transition(STOPPING, START, STARTING),
          new Transition(FAILED, START, STARTING),
          new Transition(FAILED, ANSWER, RUNNING),
          new Transition(FAILED, LOSE, UNREACHABLE),
          new Transition(FAILED, STOP, STOPPING),
          new Transition(UNREACHABLE, START, STARTING),
          new Transition(UNREACHABLE, ANSWER, RUNNING),
          new Transition(UNREACHABLE, FAIL, FAILED),
          new Transition(UNREACHABLE, STOP, STOPPING));

  private NotebookLife() {}

  /** The shortest way by the table from one status to another, without the first. */
  static List<NotebookStatus> way(NotebookStatus from, NotebookStatus to) {
    List<List<NotebookStatus>> ways = List.of(List.of(from));
    for (int steps = 0; steps <= NotebookStatus.values().length; steps++) {
      List<List<NotebookStatus>> longer = new ArrayList<>();
      for (List<NotebookStatus> way : ways) {
        if (way.getLast() == to) {
          return way.subList(1, way.size());
        }
        for (Transition each : TABLE) {
          if (each.from() == way.getLast() && !way.contains(each.to())) {
            List<NotebookStatus> next = new ArrayList<>(way);
            next.add(each.to());
            longer.add(next);
          }
        }
      }
      ways = longer;
    }
    throw new IllegalStateException("the table has no way from " + from + " to " + to);
  }

  /** The table as a Mermaid state diagram, for the documentation. */
  static String diagram() {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n    [*] --> STARTING\n");
    for (Transition each : TABLE) {
      text.append(
          "    %s --> %s: %s\n"
              .formatted(each.from(), each.to(), each.signal().name().toLowerCase(Locale.ROOT)));
    }
    return text.append("    STOPPED --> [*]\n").toString();
  }
}
