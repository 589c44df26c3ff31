package io.gatehouse.control.image;

/**
 * A request that must not be carried out twice.
 *
 * @param subject name of the resource that it was about
 * @param revision of the change that it made
 */
public record RememberedRequest(
    String requestId, RequestHash requestHash, String subject, long revision) {}
