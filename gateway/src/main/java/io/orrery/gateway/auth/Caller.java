package io.orrery.gateway.auth;

/** A client that has shown a token: the token's name and its role. */
record Caller(String name, Role role) {}
