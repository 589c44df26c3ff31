package io.gatehouse.agent.state;

/**
 * Flows of one cookie in one table among which there is one that cannot be told apart: it uses what
 * Gatehouse never writes.
 */
public record StrangeFlows(int table, long cookie) {}
