package io.orrery.orchestrator.trial;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Makes trial ids from sequence numbers. They look random, never repeat within an experiment, and
 * need no lookup of existing ids.
 *
 * <p>An id is the number {@code (a·n + b) mod M} written with a letter and four letters or digits,
 * {@code M = 26·36⁴}. It is a permutation because {@code a} shares no factor with M (2, 3, 13);
 * {@code b} differs by experiment. Beyond M trials the ids get a sixth character.
 */
public final class TrialName {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final long ALL = 26L * 36 * 36 * 36 * 36;

  /** About M divided by the golden ratio, so that neighbours lie far apart; prime to M. */
  private static final long STEP = 26_989_555;

  private static final long BACK =
      BigInteger.valueOf(STEP).modInverse(BigInteger.valueOf(ALL)).longValueExact();

  private TrialName() {}

  /** Which trial would get an id; empty for an id that is not of this form. */
  public static OptionalLong sequence(ExperimentId experiment, TrialId id) {
    String text = id.value();
    if (!text.matches("[a-z][a-z0-9]{4}")) {
      return OptionalLong.empty();
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      number = number * 36 + ALPHABET.indexOf(text.charAt(i));
    }
    return OptionalLong.of(
        Math.floorMod(Math.floorMod(number - start(experiment), ALL) * BACK, ALL));
  }

  private static long start(ExperimentId experiment) {
    CRC32C start = new CRC32C();
    start.update(experiment.value().getBytes(StandardCharsets.UTF_8));
    return start.getValue();
  }

  /**
   * The id of the {@code sequence}th trial.
   *
   * @param sequence from 0
   */
  public static TrialId of(ExperimentId experiment, long sequence) {
    long number = Math.floorMod(STEP * (sequence % ALL) + start(experiment), ALL);
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      id.append(ALPHABET.charAt((int) (number % 36)));
      number /= 36;
    }
    id.append(ALPHABET.charAt((int) number)).reverse();
    for (long round = sequence / ALL; round > 0; round /= 36) {
      id.append(ALPHABET.charAt((int) (round % 36)));
    }
    return new TrialId(id.toString());
  }
}
