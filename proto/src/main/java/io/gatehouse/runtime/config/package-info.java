/**
 * Settings from YAML files.
 *
 * <p>Input: a file written by a person. Output: typed values, or every problem of the file at once,
 * each with its line. Never: object construction by tags, values from the environment, defaults
 * that the caller did not name.
 */
@NullMarked
package io.gatehouse.runtime.config;

import org.jspecify.annotations.NullMarked;
