package io.orrery.core.workload;

/**
 * The resources of each replica.
 *
 * @param cpu in thousandths of a core
 * @param memory in bytes
 * @param gpus whole GPUs, 0 for none
 */
public record Resources(Amount cpu, Amount memory, int gpus) {
  /** No limit, and no GPU. */
  public static final Resources UNLIMITED = new Resources(Amount.UNLIMITED, Amount.UNLIMITED, 0);
}
