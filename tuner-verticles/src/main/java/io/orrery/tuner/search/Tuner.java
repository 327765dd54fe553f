package io.orrery.tuner.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;

/**
 * Decides what to try next.
 *
 * <p><b>A tuner is a function of (space, options, seed, history).</b> Nothing of it is stored:
 * after a restart a new one is made, told what happened, and must go on exactly as the old one
 * would have. All of the contract follows from that.
 *
 * <ul>
 *   <li><b>Chance is keyed.</b> A suggestion draws from {@code Rng.keyed(seed, number)}, its number
 *       counted over the experiment from 0. No generator lives from one suggestion to the next, so
 *       the same number after the same history is the same suggestion.
 *   <li><b>The past is told, not repeated.</b> In a replay {@link #remember} is called for each
 *       suggestion on record, where in the first life {@link #suggest} gave it out, and {@link
 *       #learn} for each result. Nothing is computed again to be compared.
 *   <li><b>Order is weak.</b> Trials run in parallel: results come in any order, and a suggestion
 *       may be on record after results that came in between its making and its start. So what a
 *       tuner knows must be a function of the <em>set</em> of suggestions and of the
 *       <em>sequence</em> of results, not of how the two interleaved.
 *   <li><b>Told once.</b> Each suggestion is remembered at most once and each result learnt at most
 *       once; the host sees to that. A result may lack a number (NaN): its trial failed, was
 *       cancelled, or reported nonsense. Infinite numbers are possible. No result is an error. A
 *       trial that is run again brings another result under its id; the later one holds.
 *   <li><b>Taken back.</b> A suggestion may never become a trial: its plan is taken back, and no
 *       history holds it. The tuner that made it is not told; the host opens another one, which was
 *       never told of it, and is free to suggest it again, under another number.
 *   <li><b>Strangers.</b> A result without a parameter id is of a trial whose values a user chose;
 *       it is knowledge like any other, and no suggestion came before it.
 *   <li><b>It fits.</b> The host passes only parameters that {@link #fits} accepts; after a change
 *       of the space older ones may not.
 *   <li><b>One thread at a time</b> calls a tuner, not always the same one; a tuner needs no locks,
 *       starts no threads and may take its time.
 *   <li><b>To be cheap counts.</b> A suggestion costs O(n log n) in the length n of the history at
 *       worst, to remember or learn is amortised O(log n): ten thousand entries replay at once.
 * </ul>
 *
 * <p>When a method throws, the host discards the tuner and rebuilds it from history.
 */
public interface Tuner {
  /**
   * What to try next.
   *
   * @param count how many, 1 or more
   * @param firstNumber the number of the first of them; successive calls count on without gaps,
   *     save that some may have got lost in a restart
   * @return at most {@code count} with different parameter ids, as a rule the number as text.
   *     Fewer, or none, when results must come in first; {@code exhausted} when nothing will
   *     follow, now and after any result
   */
  Suggestions suggest(int count, long firstNumber);

  /** Takes note of a suggestion that an earlier tuner of the same experiment made. */
  void remember(Suggestion suggestion);

  /** Takes note of how a trial ended. */
  void learn(Result result);

  /**
   * Whether parameters are ones that this tuner could have suggested. Called by the same thread as
   * the rest; changes nothing.
   */
  boolean fits(Parameters parameters);
}
