/** Tests of the scripts of a checkout: {@code ./orrery}, which builds the program when it must. */
@NullMarked
package io.orrery.gateway.checkout;

import org.jspecify.annotations.NullMarked;
