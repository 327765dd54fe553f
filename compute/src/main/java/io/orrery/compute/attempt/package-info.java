/**
 * The parts of an attempt that training services share: its directories and files on this machine,
 * its log, and the jobs of other systems that are followed until they end.
 */
@NullMarked
package io.orrery.compute.attempt;

import org.jspecify.annotations.NullMarked;
