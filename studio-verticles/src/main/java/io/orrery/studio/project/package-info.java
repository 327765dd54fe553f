/** The projects, their members, and requests to join them. */
@NullMarked
package io.orrery.studio.project;

import org.jspecify.annotations.NullMarked;
