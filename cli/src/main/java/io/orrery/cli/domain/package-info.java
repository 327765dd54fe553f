/** The verbs about domains: hosts that services share, and their rollouts. */
@NullMarked
package io.orrery.cli.domain;

import org.jspecify.annotations.NullMarked;
