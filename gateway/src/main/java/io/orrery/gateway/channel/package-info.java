/**
 * How a running trial talks to the server: NNI's HTTP command channel at an address that holds the
 * trial's own token. Entry types: {@link io.orrery.gateway.channel.TrialChannel} serves it, {@link
 * io.orrery.gateway.channel.TrialTokens} makes and opens the tokens. A token opens its own attempt
 * and nothing else, and never appears in a log.
 */
@NullMarked
package io.orrery.gateway.channel;

import org.jspecify.annotations.NullMarked;
