/**
 * NNI's REST API for one experiment, as its Python client, {@code nnictl} and its page use it.
 * Entry type: {@link io.orrery.gateway.nni.NniApi}. It translates and decides nothing: what clients
 * of NNI see is what the own API has, in NNI's names, units and encodings, and an endpoint that is
 * not here answers 404.
 */
@NullMarked
package io.orrery.gateway.nni;

import org.jspecify.annotations.NullMarked;
