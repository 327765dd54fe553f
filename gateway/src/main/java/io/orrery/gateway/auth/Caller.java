package io.orrery.gateway.auth;

/** Somebody who has shown a token: its name and what it allows. */
record Caller(String name, Role role) {}
