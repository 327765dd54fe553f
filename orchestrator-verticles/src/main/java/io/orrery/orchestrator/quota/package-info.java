/**
 * Charging what starts to the quota of its project. {@link
 * io.orrery.orchestrator.quota.QuotaVerticle} asks the ledger for all owners of a process and
 * remembers who waits; {@link io.orrery.orchestrator.quota.UnitCredit} is what one owner holds. It
 * stops nothing that runs.
 */
@NullMarked
package io.orrery.orchestrator.quota;

import org.jspecify.annotations.NullMarked;
