/**
 * The short way of what thousands of trials send every second: taken as bytes, before Vert.x sees
 * it. Whatever is not as plain as can be goes on untouched, and Vert.x judges and answers it
 * (docs/decisions/0051).
 */
@NullMarked
package io.orrery.gateway.metric.wire;

import org.jspecify.annotations.NullMarked;
