<?php

/** Tests what this client guarantees about tokens, limits and writes, independent of its use. */

declare(strict_types=1);

namespace LegacyClient\Testing;

use LegacyClient\Answer;
use LegacyClient\Connection;
use LegacyClient\FileTokenStore;
use LegacyClient\GrantLost;
use LegacyClient\InvalidCall;
use LegacyClient\NotAuthorised;
use LegacyClient\OutcomeUnknown;
use LegacyClient\RateLimited;
use LegacyClient\RefreshFailed;
use LegacyClient\Refused;
use LegacyClient\Service;
use LegacyClient\Tokens;
use LegacyClient\TokenStore;
use LegacyClient\Unavailable;

const OK = '<Response><Status>OK</Status></Response>';
const ABOUT = ['reply' => ['form' => 'status'], 'records' => ['Thing' => ['Name' => ['required' => true]]]];
const THINGS = [
    'reply' => ['form' => 'list', 'container' => 'Things', 'element' => 'Thing', 'of' => 'Thing'],
    'id' => 'thing.list',
    'isRead' => true,
] + ABOUT;
const METHODS = [
    'thing.get' => ABOUT + ['id' => 'thing.get', 'isRead' => true, 'v3' => ['verb' => 'GET', 'path' => ['thing.api', 'get']]],
    'thing.add' => ABOUT + [
        'id' => 'thing.add',
        'isRead' => false,
        'v3' => ['verb' => 'POST', 'path' => ['thing.api', 'add']],
        'body' => ['root' => 'Thing', 'of' => 'Thing'],
    ],
    'thing.list' => THINGS + ['v3' => ['verb' => 'GET', 'path' => ['thing.api', 'list'], 'pageSize' => 2]],
    'thing.all' => THINGS + ['v3' => ['verb' => 'GET', 'path' => ['thing.api', 'list']]],
];
const NOW = 1_700_000_000_000;
const SENT = ['body' => ['Name' => 'A']];

function good(): Tokens
{
    return new Tokens('good', 'r1', PHP_INT_MAX);
}

function stale(): Tokens
{
    return new Tokens('old', 'r1', 0);
}

function granted(): Answer
{
    return new Answer(200, '{"access_token":"fresh","refresh_token":"r2","expires_in":1800}');
}

function page(int $total, string ...$names): Answer
{
    $records = implode('', array_map(fn (string $one) => "<Thing><UUID>$one</UUID><Name>$one</Name></Thing>", $names));
    $text = "<Status>OK</Status><TotalRecords>$total</TotalRecords><Things>$records</Things>";
    return new Answer(200, "<Response>$text</Response>");
}

function withoutUuids(Answer $answer): Answer
{
    return new Answer(200, (string) preg_replace('/<UUID>.*?<\/UUID>/', '', $answer->text));
}

/** @param array<string, mixed> $shared */
function connected(array $shared, Answering $http, TokenStore $tokens): Service
{
    $clock = new HandClock(NOW);
    $connection = new Connection('http://service/3.0', 'http://service', 'o', 'c', 's', $tokens, 60, $http, $clock);
    return new Service($connection, METHODS, $shared);
}

/**
 * @param array<string, mixed> $shared
 * @return array<string, callable(): void>
 */
function protocolTests(array $shared): array
{
    return [...tokenTests($shared), ...fileTests(), ...writeTests($shared), ...readTests($shared)];
}

/**
 * @param array<string, mixed> $shared
 * @return array<string, callable(): void>
 */
function tokenTests(array $shared): array
{
    return [
        'that a refresh leaves is stored before it leaves, and the new pair before it is used' => function () use ($shared): void {
            $store = new Memory(stale());
            $http = new Answering(granted(), new Answer(200, OK), new Answer(200, OK));
            $service = connected($shared, $http, $store);
            $service->call('thing.get', []);
            $service->call('thing.get', []);
            same(array_map(fn (Tokens $one) => [$one->refreshToken, $one->refreshingSince], $store->saved), [['r1', NOW], ['r2', null]]);
            same(count($http->asked), 3);
            same(str_ends_with($http->asked[2], 'Bearer fresh'), true);
        },
        'a refresh without an answer is tried again with the next call, even if the access token is still good' => function () use ($shared): void {
            $store = new Memory(stale());
            failure(fn () => connected($shared, new Answering(null), $store)->call('thing.get', []), RefreshFailed::class);
            $store->tokens = new Tokens('good', 'r1', PHP_INT_MAX, $store->tokens?->refreshingSince);
            $http = new Answering(granted(), new Answer(200, OK));
            connected($shared, $http, $store)->call('thing.get', []);
            same($store->tokens?->refreshToken, 'r2');
        },
        'nothing is sent while it cannot be stored that it was' => function () use ($shared): void {
            $http = new Answering(granted());
            $store = new class (stale()) extends Memory {
                public function save(Tokens $tokens): void
                {
                    throw new \RuntimeException('disk full');
                }
            };
            failure(fn () => connected($shared, $http, $store)->call('thing.get', []), \RuntimeException::class);
            same($http->asked, []);
        },
        'a token is used for its life, also if that is text or not given' => function () use ($shared): void {
            foreach ([',"expires_in":"1800"', ''] as $told) {
                $renewed = new Answer(200, "{\"access_token\":\"fresh\",\"refresh_token\":\"r2\"$told}");
                $http = new Answering($renewed, new Answer(200, OK), new Answer(200, OK));
                $service = connected($shared, $http, new Memory(stale()));
                $service->call('thing.get', []);
                $service->call('thing.get', []);
                same(count($http->asked), 3);
            }
        },
        'a refresh token that is not accepted is a grant that was lost' => function () use ($shared): void {
            $http = new Answering(new Answer(400, '{"error":"invalid_grant"}'));
            failure(fn () => connected($shared, $http, new Memory(stale()))->call('thing.get', []), GrantLost::class);
        },
    ];
}

/** @return array<string, callable(): void> */
function fileTests(): array
{
    $inFolder = static fn (callable $test): callable => static function () use ($test): void {
        $folder = sys_get_temp_dir() . '/client-' . bin2hex(random_bytes(6));
        mkdir($folder, 0o700);
        try {
            $test($folder);
        } finally {
            array_map(unlink(...), glob("$folder/*") ?: []);
            rmdir($folder);
        }
    };
    return [
        'tokens in a file are the owner’s alone' => $inFolder(function (string $folder): void {
            $store = new FileTokenStore("$folder/tokens.json");
            same($store->load(), null);
            $store->save(good());
            same((array) $store->load(), (array) good());
            same(fileperms("$folder/tokens.json") & 0o077, 0);
            same(glob("$folder/*.new"), []);
        }),
        'of many processes that find a stale token one renews it' => $inFolder(function (string $folder): void {
            (new FileTokenStore("$folder/tokens.json"))->save(stale());
            $processes = [];
            for ($n = 0; $n < 6; $n += 1) {
                $pipes = [];
                $processes[] = proc_open([PHP_BINARY, __DIR__ . '/renewing.php', $folder], [1 => ['pipe', 'w']], $pipes);
                $outputs[] = $pipes[1];
            }
            foreach ($outputs as $output) {
                same(stream_get_contents($output), 'fresh');
            }
            array_map(proc_close(...), $processes);
            same(file_get_contents("$folder/refreshes"), "r1\n");
            same((new FileTokenStore("$folder/tokens.json"))->load()?->refreshToken, 'r2');
        }),
    ];
}

/**
 * @param array<string, mixed> $shared
 * @return array<string, callable(): void>
 */
function writeTests(array $shared): array
{
    $tests = [];
    foreach ([
        'no answer' => [null, OutcomeUnknown::class],
        '500' => [new Answer(500, ''), OutcomeUnknown::class],
        'an answer that is none' => [new Answer(200, '<html>'), OutcomeUnknown::class],
        '429' => [new Answer(429, '', '3'), RateLimited::class],
    ] as $what => [$answer, $kind]) {
        $tests["a write is sent once, also after $what"] = function () use ($shared, $answer, $kind): void {
            $http = new Answering($answer, new Answer(200, OK));
            failure(fn () => connected($shared, $http, new Memory(good()))->call('thing.add', SENT), $kind);
            same(count($http->asked), 1);
        };
    }
    $tests['after a token that was refused for a write, the next write has a new one'] = function () use ($shared): void {
        $http = new Answering(new Answer(401, ''), granted(), new Answer(200, OK));
        $store = new Memory(good());
        failure(fn () => connected($shared, $http, $store)->call('thing.add', SENT), NotAuthorised::class);
        connected($shared, $http, $store)->call('thing.add', SENT);
        same(count($http->asked), 3);
        same(str_ends_with($http->asked[2], 'Bearer fresh'), true);
    };
    $tests['the outcome of a write is known if nobody listens'] = function () use ($shared): void {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($server, false);
        fclose($server);
        $tokens = new Memory(good());
        $connection = new Connection("http://$address", 'http://service', 'o', 'c', 's', $tokens);
        failure(fn () => (new Service($connection, METHODS, $shared))->call('thing.add', SENT), Unavailable::class);
    };
    $tests['a record without what it must have is not sent'] = function () use ($shared): void {
        $http = new Answering();
        $service = connected($shared, $http, new Memory(good()));
        $missing = failure(fn () => $service->call('thing.add', ['body' => []]), InvalidCall::class);
        same($missing->getMessage(), 'Thing/Name is missing');
        $unknown = failure(fn () => $service->call('thing.add', ['body' => ['Name' => 'A', 'Nome' => 'B']]), InvalidCall::class);
        same($unknown->getMessage(), 'Thing has no element Nome');
        same($http->asked, []);
    };
    return $tests;
}

/**
 * @param array<string, mixed> $shared
 * @return array<string, callable(): void>
 */
function readTests(array $shared): array
{
    return [
        'a read waits as long as a 429 says, and is asked again' => function () use ($shared): void {
            $http = new Answering(new Answer(429, '', '7'), new Answer(200, OK));
            connected($shared, $http, new Memory(good()))->call('thing.get', []);
            same(count($http->asked), 2);
        },
        'what the service refuses has the words of the service' => function () use ($shared): void {
            $text = '<Response><Status>ERROR</Status><ErrorDescription>No such thing</ErrorDescription></Response>';
            $service = connected($shared, new Answering(new Answer(200, $text)), new Memory(good()));
            same(failure(fn () => $service->call('thing.get', []), Refused::class)->getMessage(), 'No such thing');
        },
        'a list that changes while it is read is read again' => function () use ($shared): void {
            $http = new Answering(page(4, 'a', 'b'), page(4, 'b', 'c'), page(4, 'a', 'b'), page(4, 'c', 'd'));
            $all = connected($shared, $http, new Memory(good()))->call('thing.list', []);
            same(array_column($all, 'Name'), ['a', 'b', 'c', 'd']);
        },
        'a list that grows while it is read is read once' => function () use ($shared): void {
            $grown = new Answering(page(4, 'a', 'b'), page(5, 'b', 'c'), page(5, 'd'));
            $all = connected($shared, $grown, new Memory(good()))->call('thing.list', []);
            same(array_column($all, 'Name'), ['a', 'b', 'c', 'd']);
            $byPage = new Answering(page(4, 'a', 'b'), page(6, 'a', 'b'), page(6, 'c', 'd'));
            $whole = connected($shared, $byPage, new Memory(good()))->call('thing.list', []);
            same(array_column($whole, 'Name'), ['a', 'b', 'c', 'd']);
        },
        'equal records without a UUID are all in the list' => function () use ($shared): void {
            $http = new Answering(withoutUuids(page(4, 'a', 'b')), withoutUuids(page(4, 'c', 'a')));
            $all = connected($shared, $http, new Memory(good()))->call('thing.list', []);
            same(array_column($all, 'Name'), ['a', 'b', 'c', 'a']);
        },
        'a part of a list is an error' => function () use ($shared): void {
            foreach ([page(3, 'a', 'b'), withoutUuids(page(3, 'a', 'b'))] as $page) {
                $http = new Answering(...array_fill(0, 6, $page));
                $service = connected($shared, $http, new Memory(good()));
                failure(fn () => $service->call('thing.list', []), \LegacyClient\UnusableAnswer::class);
                same(count($http->asked), 6);
            }
            $short = connected($shared, new Answering(page(3, 'a', 'b')), new Memory(good()));
            failure(fn () => $short->call('thing.all', []), \LegacyClient\UnusableAnswer::class);
        },
        'a list in another place is no empty list' => function () use ($shared): void {
            $thing = '<Thing><UUID>a</UUID><Name>a</Name></Thing>';
            $elsewhere = ["<Items>$thing</Items>", $thing, "<Things/>$thing", '<Message>Later</Message>', '<Records>2</Records>'];
            foreach ($elsewhere as $inner) {
                $http = new Answering(new Answer(200, "<Response><Status>OK</Status>$inner</Response>"));
                $service = connected($shared, $http, new Memory(good()));
                $failed = failure(fn () => $service->call('thing.list', []), \LegacyClient\UnusableAnswer::class);
                same($failed->getMessage(), 'The answer has no Things');
            }
            $counted = '<TotalRecords>0</TotalRecords>';
            $paged = ['<Records>0</Records>', "$counted<TotalPages>1</TotalPages><Limit>100</Limit>"];
            foreach (['', '<Things/>', "$counted<Things></Things>", ...$paged] as $inner) {
                $http = new Answering(new Answer(200, "<Response><Status>OK</Status>$inner</Response>"));
                same(connected($shared, $http, new Memory(good()))->call('thing.list', []), []);
            }
        },
        'a document type is no answer' => function () use ($shared): void {
            $text = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Response><Status>OK</Status></Response>';
            $service = connected($shared, new Answering(new Answer(200, $text)), new Memory(good()));
            failure(fn () => $service->call('thing.get', []), \LegacyClient\UnusableAnswer::class);
        },
    ];
}
