<?php

declare(strict_types=1);

namespace LegacyClient;

/**
 * Sends requests to V3, with token, organisation, rate limit and time-out.
 *
 * A read is repeated after a refused token, after a 429, and once if the service did not or could not answer. A write is
 * sent once; if its token was refused, the token is renewed for the next call. After a 429 nothing is sent until the time
 * named by the service has passed.
 */
final class Transport
{
    /** Attempts at a read, including the first. */
    private const ATTEMPTS = 4;
    /** Seconds to wait if a 429 states no time. */
    private const USUAL_WAIT = 10;

    private int $notBefore = 0;

    /**
     * `$maxWaitSeconds`: a 429 that asks for a longer wait is an error at once.
     *
     * @param array<string, mixed> $shared
     */
    public function __construct(
        private readonly AccessTokens $tokens,
        private readonly array $shared,
        private readonly string $url,
        private readonly string $organisation,
        private readonly Http $http,
        private readonly Clock $clock,
        private readonly int $maxWaitSeconds,
    ) {
    }

    /**
     * Throws `RateLimited`, `NoAnswer`, `GrantLost`, `RefreshFailed`.
     *
     * @param list<string> $path
     * @param list<array{string, string}> $query
     */
    public function send(string $method, string $verb, array $path, array $query, ?string $body): Answer
    {
        $isRead = $verb === 'GET';
        $refused = null;
        $hasFailed = false;
        for ($attempt = 1; ; $attempt += 1) {
            $isLast = !$isRead || $attempt === self::ATTEMPTS;
            $this->wait($method);
            $token = $this->tokens->get($refused);
            try {
                $answer = $this->once($verb, $path, $query, $body, $token);
            } catch (NoAnswer $error) {
                if ($isLast || $hasFailed) {
                    throw $error;
                }
                $hasFailed = true;
                continue;
            }
            if ($answer->status === 429) {
                $this->limited($method, $answer->retryAfter, $isLast);
            } elseif ($answer->status === 401 && $refused === null && !$isLast) {
                $refused = $token;
            } elseif ($answer->status === 401 && !$isRead) {
                $this->renew($token);
                return $answer;
            } elseif ($answer->status < 502 || $answer->status > 504 || $hasFailed || $isLast) {
                return $answer;
            } else {
                $hasFailed = true;
            }
        }
    }

    /** Renews a refused token, if that is possible now. */
    private function renew(string $refused): void
    {
        try {
            $this->tokens->get($refused);
        } catch (GrantLost $error) {
            throw $error;
        } catch (\Throwable) {
            // The answer matters more to the caller.
        }
    }

    private function wait(string $method): void
    {
        $millis = $this->notBefore - $this->clock->now();
        if ($millis <= 0) {
            return;
        }
        if ($millis > $this->maxWaitSeconds * 1000) {
            throw new RateLimited((int) ceil($millis / 1000), $method);
        }
        $this->clock->sleep($millis);
    }

    /** Throws `RateLimited` unless the request may be sent again. */
    private function limited(string $method, ?string $retryAfter, bool $isLast): void
    {
        $seconds = $this->secondsIn($retryAfter);
        $this->notBefore = max($this->notBefore, $this->clock->now() + $seconds * 1000);
        if ($isLast || $seconds > $this->maxWaitSeconds) {
            throw new RateLimited($seconds, $method);
        }
    }

    /** Reads a `Retry-After`, which holds seconds or a date. */
    private function secondsIn(?string $text): int
    {
        if ($text === null) {
            return self::USUAL_WAIT;
        }
        if (preg_match('/^\d{1,9}$/', $text) === 1) {
            return (int) $text;
        }
        $at = strtotime($text);
        return $at === false ? self::USUAL_WAIT : max(0, (int) ceil($at - $this->clock->now() / 1000));
    }

    /**
     * @param list<string> $path
     * @param list<array{string, string}> $query
     */
    private function once(string $verb, array $path, array $query, ?string $body, string $token): Answer
    {
        $pairs = array_map(
            static fn (array $pair): string => rawurlencode($pair[0]) . '=' . rawurlencode($pair[1]),
            $query,
        );
        $url = rtrim($this->url, '/') . '/' . implode('/', array_map(rawurlencode(...), $path));
        $headers = ['Authorization' => "Bearer $token", $this->shared['organisationHeader'] => $this->organisation];
        if ($body !== null) {
            $headers['Content-Type'] = 'text/xml; charset=utf-8';
        }
        return $this->http->send(
            $verb,
            $pairs === [] ? $url : $url . '?' . implode('&', $pairs),
            $headers,
            $body,
            $this->shared['timeoutSeconds'],
        );
    }
}
