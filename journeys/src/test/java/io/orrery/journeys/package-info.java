/**
 * The product as a whole: a server as a process of its own, and what users see of it, which is the
 * commands, the HTTP API and the page. A package per feature has the tests; this one has what they
 * share. Types of the server's own code are not used here.
 */
package io.orrery.journeys;
