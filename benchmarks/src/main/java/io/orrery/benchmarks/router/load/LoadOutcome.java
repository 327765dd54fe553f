package io.orrery.benchmarks.router.load;

/**
 * The outcome of a load.
 *
 * @param done answers with 200 and the length that they should have
 * @param failed other answers, and connections that broke while a request was under way
 * @param unserved requests that were due and had no answer at the end; with a rate only
 * @param perSecond good answers
 * @param p50 milliseconds, as the next three
 * @param served requests that reached each endpoint
 */
public record LoadOutcome(
    int done,
    int failed,
    int unserved,
    double perSecond,
    double p50,
    double p99,
    double p999,
    double slowest,
    int[] served) {
  /** The same, with answers that no endpoint gave as failed ones. */
  LoadOutcome servedBy(int requests) {
    int answered = Math.min(done, requests);
    return new LoadOutcome(
        answered,
        failed + done - answered,
        unserved,
        perSecond,
        p50,
        p99,
        p999,
        slowest,
        new int[] {requests});
  }

  /** The same, of clients whose endpoints are in another process. */
  LoadOutcome servedAs(LoadOutcome endpoints) {
    return new LoadOutcome(
        done, failed, unserved, perSecond, p50, p99, p999, slowest, endpoints.served);
  }
}
