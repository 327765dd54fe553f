/** The vocabulary of the route table that several modules share. Routing itself is the router's. */
@NullMarked
package io.orrery.core.route;

import org.jspecify.annotations.NullMarked;
