/**
 * Certificates and keys of TLS, which are read again while the process runs. Must not know what
 * listens or connects with them.
 */
@NullMarked
package io.orrery.core.tls;

import org.jspecify.annotations.NullMarked;
