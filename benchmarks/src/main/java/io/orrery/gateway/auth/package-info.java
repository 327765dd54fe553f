/**
 * Micro-benchmarks of permission checks, in the package of what they measure, as tests are: nothing
 * there is made public for their sake.
 */
@NullMarked
package io.orrery.gateway.auth;

import org.jspecify.annotations.NullMarked;
