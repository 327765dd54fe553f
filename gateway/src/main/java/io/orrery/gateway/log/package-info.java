/**
 * The server's own log, for its operators: the newest lines are kept in memory ({@link
 * io.orrery.gateway.log.RecentLines}) and shown at {@code /api/v1/logs}. Where the lines go besides
 * is the business of logback.xml.
 */
@NullMarked
package io.orrery.gateway.log;

import org.jspecify.annotations.NullMarked;
