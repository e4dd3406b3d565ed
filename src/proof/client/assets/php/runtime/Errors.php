<?php

declare(strict_types=1);

namespace LegacyClient;

/** Base of all errors of a call. The message has the service's own words if it gave any. */
class ServiceError extends \RuntimeException
{
    /** `$method`: `client.get`. `$status`: the HTTP status; null if there was no answer. */
    public function __construct(
        string $message,
        public readonly string $method,
        public readonly ?int $status = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}

/** The service refused the call, as V1 does with `<Status>ERROR</Status>`. Nothing was changed. */
class Refused extends ServiceError
{
}

/** The service answered 404: there is no such record. V3 may also say so as V1 does, which is a plain `Refused`. */
final class NotFound extends Refused
{
}

/** The access token was not accepted, or does not allow the call. Nothing was changed. */
final class NotAuthorised extends ServiceError
{
}

/** The service could not answer a read, or nobody listened. Nothing was changed; the same call may succeed later. */
final class Unavailable extends ServiceError
{
}

/** The answer cannot be used: it is not XML, or a list is incomplete. */
final class UnusableAnswer extends ServiceError
{
}

/** A write was sent and its outcome is unknown. Check before you send it again: this client never resends it. */
final class OutcomeUnknown extends ServiceError
{
}

/** An element or parameter is missing or unknown. Nothing was sent. */
final class InvalidCall extends ServiceError
{
}

/** The rate limit is reached. A write that gets this error was not carried out. */
final class RateLimited extends ServiceError
{
    public function __construct(public readonly int $retryAfterSeconds, string $method)
    {
        parent::__construct("The limit of requests is reached; free again in $retryAfterSeconds s", $method, 429);
    }
}

/** The customer has to consent again: the refresh token was not accepted, or there is none. */
final class GrantLost extends \RuntimeException
{
}

/** No new access token could be obtained; the stored refresh token is still valid, and the next call tries it again. */
final class RefreshFailed extends \RuntimeException
{
}

/** There was no answer to a request. */
final class NoAnswer extends \RuntimeException
{
    /** `$isSent`: false if there was no connection, so that the request cannot have arrived. */
    public function __construct(string $message, public readonly bool $isSent = true)
    {
        parent::__construct($message);
    }
}
