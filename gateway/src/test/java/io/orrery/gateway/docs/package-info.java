/**
 * Runs the commands of README, tutorial and how-to pages as a reader would, in the order of the
 * page, and compares what they print. {@link io.orrery.gateway.docs.DocsPage} reads a page, {@link
 * io.orrery.gateway.docs.DocsWorkspace} is the folder in which a reader works.
 */
@NullMarked
package io.orrery.gateway.docs;

import org.jspecify.annotations.NullMarked;
