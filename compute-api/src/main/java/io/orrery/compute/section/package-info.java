/**
 * The contract of the section of an experiment file that configures one training service: its keys,
 * what is checked of several keys together, and what it was called in NNI's first version. The
 * {@link io.orrery.compute.section.ServiceSection} of a service lies in the service's own package.
 */
@NullMarked
package io.orrery.compute.section;

import org.jspecify.annotations.NullMarked;
