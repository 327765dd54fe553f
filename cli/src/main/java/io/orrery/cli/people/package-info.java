/** The verbs about people: login, users, projects, personal tokens, and the audit log. */
@NullMarked
package io.orrery.cli.people;

import org.jspecify.annotations.NullMarked;
