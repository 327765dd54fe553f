/** The routes of the serving router over HTTP: seen and replaced whole, as one table. */
@NullMarked
package io.orrery.gateway.route;

import org.jspecify.annotations.NullMarked;
