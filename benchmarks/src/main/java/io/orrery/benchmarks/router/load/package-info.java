/**
 * Clients and endpoints in a process of their own, tied to one core: no proxy is measured with the
 * help of its own machinery, and no proxy is asked by another clock than its peers.
 */
@NullMarked
package io.orrery.benchmarks.router.load;

import org.jspecify.annotations.NullMarked;
