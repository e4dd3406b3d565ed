<?php

/**
 * Plays the recorded calls of the account's programs through this client: it must send V3 the same requests as the bridge
 * and return what the bridge returned. The service is replaced by one that repeats the recorded answers.
 */

declare(strict_types=1);

namespace LegacyClient\Testing;

use LegacyClient\Answer;
use LegacyClient\Connection;
use LegacyClient\Http;
use LegacyClient\NoAnswer;
use LegacyClient\Service;
use LegacyClient\ServiceError;
use LegacyClient\Tokens;
use LegacyClient\Xml;

/** A service that repeats recorded answers. */
final class Repeating implements Http
{
    /** @var list<array{string, string, string}> */
    public array $written = [];

    /**
     * @param list<array<string, mixed>> $own the exchanges of the call
     * @param list<array<string, mixed>> $others those of all calls
     */
    public function __construct(private array $own, private readonly array $others)
    {
    }

    public function send(string $verb, string $url, array $headers, ?string $body, int $timeoutSeconds): Answer
    {
        $asked = keyOf($verb, $url);
        foreach ($this->own as $at => $one) {
            if (keyOf($one['verb'], $one['target']) === $asked) {
                array_splice($this->own, $at, 1);
                return $this->answered($one, $asked, $body);
            }
        }
        foreach ($this->others as $one) {
            if (keyOf($one['verb'], $one['target']) === $asked) {
                return $this->answered($one, $asked, $body);
            }
        }
        throw new NoAnswer("the recording has no answer to $asked");
    }

    /** @param array<string, mixed> $one */
    private function answered(array $one, string $asked, ?string $body): Answer
    {
        if ($body !== null) {
            $this->written[] = [$asked, $body, $one['body']];
        }
        return new Answer($one['status'], $one['answer']);
    }
}

/** Sorts the parameters, whose order does not matter. */
function keyOf(string $verb, string $target): string
{
    $query = [];
    foreach (explode('&', (string) parse_url($target, PHP_URL_QUERY)) as $pair) {
        [$name, $value] = [...explode('=', $pair, 2), ''];
        $query[] = strtolower(urldecode($name)) . '=' . urldecode($value);
    }
    sort($query);
    return "$verb " . rawurldecode((string) parse_url($target, PHP_URL_PATH)) . '?' . implode('&', $query);
}

/**
 * Creates a test for each recorded call. `$now`: when the calls were recorded.
 *
 * @param array<string, array<string, mixed>> $methods
 * @param array<string, mixed> $shared
 * @return array<string, callable(): void>
 */
function parityTests(string $folder, array $methods, array $shared, int $now): array
{
    $files = glob("$folder/*.json") ?: [];
    $cases = array_map(fn (string $file): array => json_decode((string) file_get_contents($file), true, 512, JSON_THROW_ON_ERROR), $files);
    $others = array_merge(...array_column($cases, 'exchanges'));
    $tests = [];
    foreach ($cases as $case) {
        $tests[$case['name']] = static function () use ($case, $others, $methods, $shared, $now): void {
            $http = new Repeating($case['exchanges'], $others);
            $tokens = new Memory(new Tokens('token', '', PHP_INT_MAX));
            $connection = new Connection(
                ...['http://service/3.0', 'http://service', 'golden-organisation', 'client', 'secret', $tokens],
                ...[60, $http, new HandClock($now)],
            );
            $service = new Service($connection, $methods, $shared);
            $call = fn (): mixed => $service->call($case['method'], $case['input']);
            if ($case['expected'] === null) {
                failure($call, ServiceError::class);
                return;
            }
            assertAlike($methods[$case['method']], $call(), $case['expected']['reply'] ?? null);
            foreach ($http->written as [$asked, $given, $recorded]) {
                same((array) json_decode(json_encode(Xml::read($given)), true), (array) json_decode(json_encode(Xml::read($recorded)), true), $asked);
            }
        };
    }
    return $tests;
}

/**
 * Throws `Failed` unless the client returned what the bridge returned, except for deliberate differences.
 *
 * @param array<string, mixed> $method
 */
function assertAlike(array $method, mixed $given, mixed $expected): void
{
    $reply = $method['reply'];
    if ($reply['form'] === 'id' && $expected === '') {
        return; // the bridge has no number for it
    }
    if ($reply['form'] === 'status' || $reply['form'] === 'id') {
        same($given, $expected);
        return;
    }
    $listed = static fn (mixed $value): array => $reply['form'] === 'list' ? inOrder($value) : [$value];
    [$ours, $theirs] = [$listed($given), $listed($expected)];
    $rows = $method['records'][$reply['of']] ?? [];
    $plain = fn (array $some, array $others): array => array_map(
        fn (array $one, mixed $other): array => comparable($one, $rows, $method['records'], $other),
        $some,
        array_slice(array_pad($others, count($some), null), 0, count($some)),
    );
    same($plain($ours, $theirs), $plain($theirs, $ours));
}

/**
 * Sorts the records, because each interface orders records of the same second differently.
 *
 * @param list<array<string, mixed>> $list
 * @return list<array<string, mixed>>
 */
function inOrder(array $list): array
{
    $place = static fn (array $record): string => is_string($record['ID'] ?? null) ? $record['ID'] : shown($record);
    usort($list, static fn (array $a, array $b): int => strcmp($place($a), $place($b)));
    return $list;
}

/**
 * Removes deliberate differences between client and bridge from a record: addresses of files, values that the bridge has
 * from V1 before the move, and identifiers without a number in the recording.
 *
 * @param array<string, mixed> $value
 * @param array<string, array<string, mixed>> $rows
 * @param array<string, array<string, array<string, mixed>>> $records
 * @return array<string, mixed>
 */
function comparable(array $value, array $rows, array $records, mixed $other): array
{
    $twin = is_array($other) ? $other : [];
    $found = [];
    foreach ($rows as $name => $row) {
        $inner = $value[$name] ?? null;
        $at = $twin[$name] ?? null;
        $isUnknown = isset($row['id']) && ($inner === '' || ($at ?? '') === '');
        if ($inner === null || ($row['as'] ?? '') === 'documentLink' || $isUnknown || ($row['fromV1'] ?? false)) {
            continue;
        }
        $of = $row['one'] ?? $row['list'][1] ?? null;
        if ($of === null || !is_array($inner)) {
            $found[$name] = $inner;
        } elseif (isset($row['one'])) {
            $found[$name] = comparable($inner, $records[$of] ?? [], $records, $at);
        } else {
            $found[$name] = [];
            foreach ($inner as $index => $one) {
                $found[$name][] = comparable($one, $records[$of] ?? [], $records, is_array($at) ? $at[$index] ?? null : null);
            }
        }
    }
    return $found;
}
