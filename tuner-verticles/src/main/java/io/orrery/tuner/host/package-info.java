/**
 * Where tuners live: {@link io.orrery.tuner.host.TunerVerticle} answers the {@code tuners.*}
 * addresses, {@link io.orrery.tuner.host.Catalog} knows the algorithms. The only package of the
 * module that knows Vert.x. It keeps nothing durable, and never lets a tuner run on an event loop.
 */
@NullMarked
package io.orrery.tuner.host;

import org.jspecify.annotations.NullMarked;
