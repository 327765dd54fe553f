/** The accounts of users, their sessions and personal tokens. */
@NullMarked
package io.orrery.studio.people;

import org.jspecify.annotations.NullMarked;
