/**
 * Scaling: how many replicas a service is to have, from its traffic or by the hour. Pure; nothing
 * here does anything.
 */
@NullMarked
package io.orrery.studio.scale;

import org.jspecify.annotations.NullMarked;
