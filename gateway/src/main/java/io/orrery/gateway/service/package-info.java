/** The API of services and of workloads. */
@NullMarked
package io.orrery.gateway.service;

import org.jspecify.annotations.NullMarked;
