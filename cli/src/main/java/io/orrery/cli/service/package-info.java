/** The verbs about services. */
@NullMarked
package io.orrery.cli.service;

import org.jspecify.annotations.NullMarked;
