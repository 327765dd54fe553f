/**
 * Domains: hosts that several services share, their shares and their rollouts, as they are stored.
 */
@NullMarked
package io.orrery.studio.domain;

import org.jspecify.annotations.NullMarked;
