/**
 * The two services of Azure that NNI's configurations name: a Key Vault that holds a storage
 * account's key, and Azure Files and Blob Storage, where trials leave their outputs. Spoken to by
 * their REST APIs, without a command-line tool or an SDK. Everything here blocks.
 */
@NullMarked
package io.orrery.compute.azure;

import org.jspecify.annotations.NullMarked;
