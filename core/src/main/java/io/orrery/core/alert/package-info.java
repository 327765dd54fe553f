/**
 * The rows of alerts, which the writes that they tell of store along, and another verticle sends.
 */
@NullMarked
package io.orrery.core.alert;

import org.jspecify.annotations.NullMarked;
