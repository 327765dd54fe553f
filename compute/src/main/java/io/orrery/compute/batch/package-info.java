/**
 * Attempts as jobs of a batch service that is reached by its REST API and tells nothing by itself:
 * its jobs are looked at, all of an account in one call. {@link
 * io.orrery.compute.batch.BatchService} queues, follows, adopts and stops them; a {@link
 * io.orrery.compute.batch.JobApi} knows one service's calls, documents and words for states. Each
 * such service is a package beside this one and nothing more than that.
 *
 * <p>Whether a trial runs, and how it ended, its keeper tells at once. The service is asked for
 * what no keeper can tell: why a job waits, that it failed without one, that it is really gone.
 */
@NullMarked
package io.orrery.compute.batch;

import org.jspecify.annotations.NullMarked;
