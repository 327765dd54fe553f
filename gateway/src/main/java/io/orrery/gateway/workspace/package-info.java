/**
 * The API of the files of people. It reads and writes their directories without following links; no
 * other module takes part.
 */
@NullMarked
package io.orrery.gateway.workspace;

import org.jspecify.annotations.NullMarked;
