/**
 * How answers are written: tables for people, JSON and YAML for programs.
 *
 * <p>Input: messages, rows of text, the time. Output: text. Never: calls, decisions.
 */
@NullMarked
package io.gatehouse.control.cli.output;

import org.jspecify.annotations.NullMarked;
