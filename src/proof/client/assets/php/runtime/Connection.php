<?php

declare(strict_types=1);

namespace LegacyClient;

/** What a connection to one organisation needs. */
final class Connection
{
    /**
     * `$v3Url`: the base address of V3, below which `client.api/list` is. `$authUrl`: the authorisation server.
     * `$organisation`: its id in the connections of the token. `$maxWaitSeconds`: a 429 that asks for a longer wait is an
     * error at once.
     */
    public function __construct(
        public readonly string $v3Url,
        public readonly string $authUrl,
        public readonly string $organisation,
        public readonly string $clientId,
        #[\SensitiveParameter]
        public readonly string $clientSecret,
        public readonly TokenStore $tokens,
        public readonly int $maxWaitSeconds = 60,
        public readonly Http $http = new CurlHttp(),
        public readonly Clock $clock = new Clock(),
    ) {
    }
}

/** Makes the calls of one connection. */
final class Service
{
    private readonly Transport $transport;

    /**
     * @param array<string, array<string, mixed>> $methods the rows of the mapping, by legacy name
     * @param array<string, mixed> $shared
     */
    public function __construct(Connection $connection, private readonly array $methods, private readonly array $shared)
    {
        $tokens = new AccessTokens(
            $connection->tokens,
            $shared,
            $connection->authUrl,
            $connection->clientId,
            $connection->clientSecret,
            $connection->http,
            $connection->clock,
        );
        $this->transport = new Transport(
            $tokens,
            $shared,
            $connection->v3Url,
            $connection->organisation,
            $connection->http,
            $connection->clock,
            $connection->maxWaitSeconds,
        );
    }

    /**
     * Throws `ServiceError`, `GrantLost`, `RefreshFailed`.
     *
     * @param array{path?: array<string, string>, query?: array<string, string|null>, body?: array<string, mixed>} $input
     */
    public function call(string $method, array $input): mixed
    {
        return (new Call($this->methods[$method], $input, $this->shared, $this->transport))->make();
    }
}
