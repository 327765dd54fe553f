/**
 * SQL plumbing that the modules share: statements as values, group-committed writes, short reads,
 * numbered migrations. {@link io.orrery.core.sql.Store} is the contract; its suite StoreContract
 * runs against every engine, SQLite in a file and PostgreSQL on a server. A wait for a database is
 * done on a thread of the store, never on an event loop.
 */
@NullMarked
package io.orrery.core.sql;

import org.jspecify.annotations.NullMarked;
