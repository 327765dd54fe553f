/**
 * The way of a request through the router. {@link io.orrery.router.proxy.RouterVerticle} is one
 * event loop of it; its {@code HttpLoop} holds all that lives there, an {@code Exchange} is one
 * request and its answer. Nothing is shared between lanes but the table, the meters and the rates,
 * which are made for it.
 */
@NullMarked
package io.orrery.router.proxy;

import org.jspecify.annotations.NullMarked;
