/**
 * Resource names, such as {@code tenants/acme/networks/blue/ports/web-1}.
 *
 * <p>Input: text. Output: names that are well formed if they exist. Never: whether the resource
 * does.
 */
@NullMarked
package io.gatehouse.model.name;

import org.jspecify.annotations.NullMarked;
