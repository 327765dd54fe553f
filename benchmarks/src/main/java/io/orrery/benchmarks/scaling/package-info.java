/** The scaler of services beside the documented algorithm of Knative, on loads by virtual clock. */
@NullMarked
package io.orrery.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
