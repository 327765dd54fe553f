/**
 * Trials on machines that are reached by SSH. There is one connection to each machine, kept alive
 * and made again when it breaks; everything goes over it: the commands that start and end trials,
 * and back through a forwarded port what the keepers beside them bring. So a machine needs no way
 * to the server, and an attempt needs no connection to go on: it runs under a wrapper in a
 * directory of its own, and is found there again. Servers that share their work each have a
 * connection and a port of their own there, which they note where the keepers look; the owner of an
 * attempt is the server with the lease of its experiment, which is checked before anything that
 * others feel.
 *
 * <p>{@link io.orrery.compute.remote.RemoteService} is asked, {@code FollowedAttempts} has the
 * attempts, {@code RemoteAttempt} tells the life of one from its place to its end, {@code Machines}
 * has what is open, {@code Machine} keeps a connection, {@code MachineChoice} chooses. Everything
 * blocks on virtual threads; nothing here runs on an event loop.
 */
@NullMarked
package io.orrery.compute.remote;

import org.jspecify.annotations.NullMarked;
