/**
 * The API described: the OpenAPI document as it is written, in one part for each tag, and a page
 * made from it for people. Entry type: {@link io.orrery.gateway.docs.DocsApi}. The document is
 * written by hand and held to the truth by tests: what is routed and what is described are the
 * same, and real answers fit the schemas. The page needs no script and nothing from elsewhere.
 */
@NullMarked
package io.orrery.gateway.docs;

import org.jspecify.annotations.NullMarked;
