<?php

declare(strict_types=1);

namespace LegacyClient;

/** Every error of a call. The message holds the words of the service where it gave any. */
class ServiceError extends \RuntimeException
{
    /** `$method`: `client.get`. `$status`: of HTTP; null: there was no answer. */
    public function __construct(
        string $message,
        public readonly string $method,
        public readonly ?int $status = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}

/** The service refused the call: V1's `<Status>ERROR</Status>`. Nothing was changed. */
class Refused extends ServiceError
{
}

/** There is no such record. V1 says so with `<Status>ERROR</Status>` as well. */
final class NotFound extends Refused
{
}

/** The access token is not accepted, or does not allow the call. */
final class NotAuthorised extends ServiceError
{
}

/** The service could not answer. Nothing was changed; the same read may succeed later. */
final class Unavailable extends ServiceError
{
}

/** The answer cannot be used: not XML, or a list that is not whole. */
final class UnusableAnswer extends ServiceError
{
}

/** A write was sent and its outcome is not known. Look before you send it again: this client never does. */
final class OutcomeUnknown extends ServiceError
{
}

/** An element or parameter is missing, or is none of this method. Nothing was sent. */
final class InvalidCall extends ServiceError
{
}

/** The limit of requests is reached. A write that meets it was not carried out. */
final class RateLimited extends ServiceError
{
    public function __construct(public readonly int $retryAfterSeconds, string $method)
    {
        parent::__construct("The limit of requests is reached; free again in $retryAfterSeconds s", $method, 429);
    }
}

/** The customer has to give consent again: the refresh token is not accepted, or there is none. */
final class GrantLost extends \RuntimeException
{
}

/** No new access token could be had; the stored refresh token stays good, and is tried again with the next call. */
final class RefreshFailed extends \RuntimeException
{
}

/** There was no answer to a request. */
final class NoAnswer extends \RuntimeException
{
}
