/**
 * The quotas of projects: what their objects hold, and whether more fits. {@link
 * io.orrery.studio.quota.QuotaDecision} is pure. It starts and stops nothing: who is charged waits
 * by itself.
 */
@NullMarked
package io.orrery.studio.quota;

import org.jspecify.annotations.NullMarked;
