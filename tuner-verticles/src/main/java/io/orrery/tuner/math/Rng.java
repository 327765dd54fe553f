package io.orrery.tuner.math;

import java.util.random.RandomGenerator;

/**
 * A random generator that is named by a key, not by how often it was used before.
 *
 * <p>Search must be able to go on after a restart exactly as if there had been none, without
 * storing the state of a generator. So each suggestion draws from a generator of its own, {@code
 * keyed(seed, number)}, and a part of a suggestion that needs independence of its siblings from
 * {@link #split}, which depends on the key alone and not on what was drawn already.
 *
 * <p>Keys are mixed with the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable
 * pseudorandom number generators", 2014), a bijection of 64 bits: two numbers of one seed never
 * share a key. The key fills the state of xoshiro256++ (Blackman, Vigna: "Scrambled linear
 * pseudorandom number generators", 2021) through a SplitMix64 sequence, as its authors advise.
 *
 * <p>Not thread safe.
 */
public final class Rng implements RandomGenerator {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double TWO_TO_MINUS_52 = 0x1.0p-52;

  private final long key;
  private long s0;
  private long s1;
  private long s2;
  private long s3;

  private Rng(long key) {
    this.key = key;
    long sequence = key;
    s0 = mix(sequence += GOLDEN);
    s1 = mix(sequence += GOLDEN);
    s2 = mix(sequence += GOLDEN);
    s3 = mix(sequence + GOLDEN);
  }

  /** The generator of one numbered thing, such as a suggestion, under a seed. */
  public static Rng keyed(long seed, long number) {
    return new Rng(mix(seed + GOLDEN)).split(number);
  }

  /** The generator of a labelled part of what this one is for. */
  public Rng split(long label) {
    return new Rng(mix(mix(key ^ GOLDEN) + label * GOLDEN));
  }

  @Override
  public long nextLong() {
    long result = Long.rotateLeft(s0 + s3, 23) + s0;
    long shifted = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = Long.rotateLeft(s3, 45);
    return result;
  }

  /** Uniform in the open interval (0, 1), so that every quantile function can take it. */
  public double nextOpen() {
    return ((nextLong() >>> 12) + 0.5) * TWO_TO_MINUS_52;
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
