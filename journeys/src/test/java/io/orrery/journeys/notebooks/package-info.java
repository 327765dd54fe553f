/** Notebooks of people, with the Jupyter and the other programs of this machine. */
package io.orrery.journeys.notebooks;
