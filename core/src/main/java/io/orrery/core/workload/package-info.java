/**
 * The vocabulary of workloads: programs that are kept running, such as the replicas of a service.
 * Pure values, with the readers of their text forms.
 */
@NullMarked
package io.orrery.core.workload;

import org.jspecify.annotations.NullMarked;
