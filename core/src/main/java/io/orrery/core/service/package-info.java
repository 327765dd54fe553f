/** The vocabulary of services. */
@NullMarked
package io.orrery.core.service;

import org.jspecify.annotations.NullMarked;
