/**
 * The layers of the route table that servers own: kept in the store, handed to the routers of all
 * servers, and the traffic of these routers together. It must not know what a service is: routers
 * read the documents, their authors write them.
 */
@NullMarked
package io.orrery.orchestrator.route;

import org.jspecify.annotations.NullMarked;
