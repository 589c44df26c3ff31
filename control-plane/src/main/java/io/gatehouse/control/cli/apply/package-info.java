/**
 * Declared resources: read from YAML, compared with what is there, made so.
 *
 * <p>Input: documents, the control plane's answers. Output: steps, calls for what differs, and no
 * call for what does not. Never: deletions.
 */
@NullMarked
package io.gatehouse.control.cli.apply;

import org.jspecify.annotations.NullMarked;
