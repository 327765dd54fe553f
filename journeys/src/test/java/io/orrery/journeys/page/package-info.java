/** The page in a real browser, before a real server with real trials. */
@NullMarked
package io.orrery.journeys.page;

import org.jspecify.annotations.NullMarked;
