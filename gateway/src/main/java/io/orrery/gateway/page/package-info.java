/**
 * The page that people look at: {@link io.orrery.gateway.page.PageApi} serves the files of the
 * module {@code ui-static} and the browser libraries that they import, all from the class path. It
 * must never reach a file outside of {@code ui/} and of the libraries that the import map names,
 * and it knows nothing of what the page does.
 */
@NullMarked
package io.orrery.gateway.page;

import org.jspecify.annotations.NullMarked;
