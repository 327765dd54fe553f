/**
 * Alerts about statuses of runs. {@link io.orrery.orchestrator.alert.AlertTable} has the statement
 * that the owner of runs adds to the write of a status; {@link
 * io.orrery.orchestrator.alert.AlertSender} sends what the rows say. It must not decide anything
 * about runs, and it never stores or logs the address of a receiver.
 */
@NullMarked
package io.orrery.orchestrator.alert;

import org.jspecify.annotations.NullMarked;
