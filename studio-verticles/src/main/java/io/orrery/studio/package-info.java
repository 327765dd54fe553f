/**
 * The studio: what people own and decide. It keeps accounts, sessions, projects, members and the
 * audit log in the store, and answers questions about them on the bus. It never talks to a cluster,
 * a process or the router.
 */
@NullMarked
package io.orrery.studio;

import org.jspecify.annotations.NullMarked;
