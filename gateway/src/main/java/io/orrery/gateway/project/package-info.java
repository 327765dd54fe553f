/** The API of projects, their members and requests to join. */
@NullMarked
package io.orrery.gateway.project;

import org.jspecify.annotations.NullMarked;
