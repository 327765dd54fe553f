/**
 * The owner of workloads: it stores what is wanted, has a runtime keep it running, publishes the
 * replicas that are ready as the studio's layer of the route table, and drains what is surplus.
 */
@NullMarked
package io.orrery.orchestrator.workload;

import org.jspecify.annotations.NullMarked;
