/**
 * The HTTP protocol of NNI's trials: the command channel at an address that holds the trial's own
 * token, and what its keepers post. Entry types: {@link io.orrery.gateway.channel.TrialChannel} and
 * {@link io.orrery.gateway.channel.NniKeeperApi} serve them, {@link
 * io.orrery.gateway.channel.TrialTokens} makes and opens the tokens. A token opens its own attempt
 * and nothing else, and never appears in a log.
 */
@NullMarked
package io.orrery.gateway.channel;

import org.jspecify.annotations.NullMarked;
