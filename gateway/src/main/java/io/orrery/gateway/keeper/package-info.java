/**
 * The HTTP protocol of keepers, the programs that run beside trials where server and trial share no
 * disk. The protocol is private to a server and the keeper that it hands out itself, at {@code
 * /keeper}; a request shows the token of its attempt, and reaches nothing else with it. Entry type:
 * {@link io.orrery.gateway.keeper.KeeperApi}.
 */
@NullMarked
package io.orrery.gateway.keeper;

import org.jspecify.annotations.NullMarked;
