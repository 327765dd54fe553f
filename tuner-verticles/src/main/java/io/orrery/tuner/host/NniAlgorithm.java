package io.orrery.tuner.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm that was written for NNI, wherever it runs, in NNI's own terms. Called as {@link
 * HostedTuner} is.
 */
interface NniAlgorithm extends AutoCloseable {
  /**
   * Hands over results that it did not ask for.
   *
   * @param data objects with {@code parameter} and {@code value}
   */
  void importData(ArrayNode data) throws InterruptedException;

  /**
   * Trials of an earlier one that still run.
   *
   * @param records what they try, by parameter id
   * @param lastNumber the highest number that any of those before gave, -1 when none did
   */
  void unfinished(Map<String, Parameters> records, long lastNumber) throws InterruptedException;

  /** What to try next; fewer when it has no more for now. */
  List<Suggestion> suggest(int count) throws InterruptedException;

  /** Whether it is at work on suggestions that it was asked for and has not given yet. */
  default boolean thinks() throws InterruptedException {
    return false;
  }

  /**
   * How a trial ended that it suggested itself, or that a user added.
   *
   * @param id null for what a user added
   * @param value JSON null when there is no result
   */
  void result(
      @Nullable String id, Parameters parameters, String trial, JsonNode value, TrialStatus event)
      throws InterruptedException;

  /**
   * Whether it wants a running trial ended.
   *
   * @param history all its intermediate results so far, 1 or more
   */
  boolean isBad(@Nullable String id, String trial, ArrayNode history) throws InterruptedException;

  @Override
  void close();
}
