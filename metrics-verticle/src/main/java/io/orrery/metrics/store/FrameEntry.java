package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.ArrayList;
import java.util.List;

/** An entry of a frame of the log, in its order. {@link Encoder} defines the format. */
sealed interface FrameEntry {
  /** Points of one attempt; they stand in the body between two positions. */
  record Block(AttemptRef attempt, int from, int to) implements FrameEntry {}

  /** Deletes all points of an experiment before this place. */
  record Forget(ExperimentId experiment) implements FrameEntry {}

  /** The entries of a body whose checksum was right. */
  static List<FrameEntry> in(byte[] body) {
    List<FrameEntry> entries = new ArrayList<>();
    Decoder in = new Decoder(body);
    while (in.hasMore()) {
      int type = in.type();
      ExperimentId experiment = new ExperimentId(in.text());
      switch (type) {
        case Encoder.BLOCK -> {
          TrialRef trial = new TrialRef(experiment, new TrialId(in.text()));
          int attempt = (int) in.varint();
          in.fixed(); // the number of points, for readers that only count
          int length = in.fixed();
          entries.add(
              new Block(new AttemptRef(trial, attempt), in.position(), in.position() + length));
          in.skip(length);
        }
        case Encoder.FORGET -> entries.add(new Forget(experiment));
        default ->
            throw new IllegalStateException(
                "an entry of type " + type + " in the metric log: a newer Orrery wrote it");
      }
    }
    return entries;
  }
}
