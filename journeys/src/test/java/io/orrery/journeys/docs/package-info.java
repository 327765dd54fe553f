/**
 * Runs the commands of README, tutorial and how-to pages as a reader would, in the order of the
 * page, and compares what they print. {@link io.orrery.journeys.docs.DocsPage} reads a page, {@link
 * io.orrery.journeys.docs.DocsWorkspace} is the folder in which a reader works.
 */
@NullMarked
package io.orrery.journeys.docs;

import org.jspecify.annotations.NullMarked;
