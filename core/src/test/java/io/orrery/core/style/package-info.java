/**
 * The style rules of CONTRIBUTING.md as tests over the sources and documents of all modules. {@link
 * StyleTest} is the entry; it reads files only and never starts a server.
 */
@NullMarked
package io.orrery.core.style;

import org.jspecify.annotations.NullMarked;
