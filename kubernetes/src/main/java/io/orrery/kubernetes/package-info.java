/**
 * A Kubernetes client on Vert.x: {@link io.orrery.kubernetes.Cluster} reads, writes, applies,
 * deletes and lists objects of one namespace, {@link io.orrery.kubernetes.Watch} keeps the objects
 * of one type as they are now, {@link io.orrery.kubernetes.PodExec} runs commands in containers,
 * and {@link io.orrery.kubernetes.AccessReview} asks what the account may do. It is a library: it
 * starts no verticle and knows no trials, jobs or services.
 */
@NullMarked
package io.orrery.kubernetes;

import org.jspecify.annotations.NullMarked;
