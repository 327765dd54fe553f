/**
 * Attempts as Frameworks of Microsoft's FrameworkController. What all jobs of a cluster have in
 * common is done by {@code platform.kubernetes}; here is only how a Framework is written and read.
 */
@NullMarked
package io.orrery.compute.frameworkcontroller;

import org.jspecify.annotations.NullMarked;
