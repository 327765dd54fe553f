/**
 * SQL plumbing that the modules share: statements as values, group-committed writes, short reads,
 * numbered migrations. {@link io.orrery.core.sql.Store} is the contract; its suite StoreContract
 * runs against every engine.
 */
@NullMarked
package io.orrery.core.sql;

import org.jspecify.annotations.NullMarked;
