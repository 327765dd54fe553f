/**
 * Hashes and checks passwords: Argon2id in PHC strings, and the rules of NIST SP 800-63B for new
 * ones.
 */
@NullMarked
package io.orrery.studio.password;

import org.jspecify.annotations.NullMarked;
