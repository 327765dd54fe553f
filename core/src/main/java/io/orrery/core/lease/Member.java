package io.orrery.core.lease;

/**
 * A server among those that share a store.
 *
 * @param id of this membership: a server that was taken for dead comes back under another one
 * @param url where its API is reached
 * @param host the machine that it runs on
 */
public record Member(String id, String url, String host) {}
