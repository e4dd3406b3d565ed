<?php

declare(strict_types=1);

namespace LegacyClient\Testing;

use LegacyClient\Answer;
use LegacyClient\Clock;
use LegacyClient\Http;
use LegacyClient\NoAnswer;
use LegacyClient\Tokens;
use LegacyClient\TokenStore;

/** A test that failed. */
final class Failed extends \RuntimeException
{
}

/** Throws `Failed` unless both are equal; the order of keys does not matter. */
function same(mixed $given, mixed $expected, string $what = ''): void
{
    if (sorted($given) !== sorted($expected)) {
        throw new Failed("$what\n  given:    " . shown($given) . "\n  expected: " . shown($expected));
    }
}

function sorted(mixed $value): mixed
{
    if (!is_array($value)) {
        return $value;
    }
    $all = array_map(sorted(...), $value);
    if (!array_is_list($all)) {
        ksort($all);
    }
    return $all;
}

function shown(mixed $value): string
{
    return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PARTIAL_OUTPUT_ON_ERROR) ?: '?';
}

/**
 * Returns the error that `$work` throws. Throws `Failed` if there is none of that kind.
 *
 * @param class-string<\Throwable> $kind
 */
function failure(callable $work, string $kind): \Throwable
{
    try {
        $work();
    } catch (\Throwable $error) {
        if ($error instanceof $kind) {
            return $error;
        }
        throw new Failed("expected $kind, got " . $error::class . ": {$error->getMessage()}", 0, $error);
    }
    throw new Failed("expected $kind, and nothing was thrown");
}

/**
 * Runs the tests and prints the failed ones; returns the program's exit code.
 *
 * @param array<string, callable(): void> $tests
 */
function run(array $tests): int
{
    $failed = 0;
    foreach ($tests as $name => $test) {
        try {
            $test();
            echo "ok - $name\n";
        } catch (\Throwable $error) {
            $failed += 1;
            echo "not ok - $name\n  ", $error::class, ': ', $error->getMessage(), "\n";
        }
    }
    echo count($tests), ' tests, ', $failed, " failed\n";
    return $failed === 0 && $tests !== [] ? 0 : 1;
}

/** A service that gives these answers in order, and records its requests. */
final class Answering implements Http
{
    /** @var list<string> */
    public array $asked = [];
    /** @var list<Answer|null> null: no answer */
    private array $answers;

    public function __construct(?Answer ...$answers)
    {
        $this->answers = array_values($answers);
    }

    public function send(string $verb, string $url, array $headers, ?string $body, int $timeoutSeconds): Answer
    {
        $this->asked[] = "$verb " . parse_url($url, PHP_URL_PATH) . ' ' . ($headers['Authorization'] ?? '');
        if ($this->answers === []) {
            throw new Failed('nobody expected another request');
        }
        return array_shift($this->answers) ?? throw new NoAnswer('cut');
    }
}

/** Keeps tokens in memory and records what was stored. */
class Memory implements TokenStore
{
    /** @var list<Tokens> */
    public array $saved = [];

    public function __construct(public ?Tokens $tokens)
    {
    }

    public function load(): ?Tokens
    {
        return $this->tokens;
    }

    public function save(Tokens $tokens): void
    {
        $this->saved[] = $tokens;
        $this->tokens = $tokens;
    }

    public function exclusive(callable $work): mixed
    {
        return $work();
    }
}

/** A clock that only waiting moves. */
final class HandClock extends Clock
{
    public int $waited = 0;

    public function __construct(private readonly int $begins)
    {
    }

    public function now(): int
    {
        return $this->begins + $this->waited;
    }

    public function sleep(int $millis): void
    {
        $this->waited += $millis;
    }
}
