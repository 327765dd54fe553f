/** Services from their documents to answers: where they run, how they scale and change. */
package io.orrery.journeys.services;
