/**
 * The kinds of resources, told by tables: names, fields and their flags, columns, calls. What is
 * written here once holds for create, update, list and apply alike.
 *
 * <p>Input: the contract's descriptors, text of people. Output: messages. Never: rules that the
 * control plane decides.
 */
@NullMarked
package io.gatehouse.control.cli.resource;

import org.jspecify.annotations.NullMarked;
