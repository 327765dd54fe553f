/** Accounts, projects, tokens and sandboxes: who may do what, and what stays hidden. */
package io.orrery.journeys.access;
