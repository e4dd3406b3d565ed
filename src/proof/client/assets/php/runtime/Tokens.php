<?php

declare(strict_types=1);

namespace LegacyClient;

/** Tokens from the authorisation server. */
final class Tokens
{
    /**
     * `$expiresAt`: milliseconds since the epoch. `$refreshingSince`: when a refresh with this refresh token was sent
     * whose answer is not known yet; null if there is none.
     */
    public function __construct(
        public readonly string $accessToken,
        public readonly string $refreshToken,
        public readonly int $expiresAt,
        public readonly ?int $refreshingSince = null,
    ) {
    }
}

/** Stores the tokens of one connection. Implement it yourself: a row of your database is a good place. */
interface TokenStore
{
    /** Returns null if the customer has not consented yet. */
    public function load(): ?Tokens;

    /** The tokens must be on disk when it returns. */
    public function save(Tokens $tokens): void;

    /**
     * Runs `$work` while no other process that shares the store does, for example under a row lock.
     *
     * @template T
     * @param callable(): T $work
     * @return T
     */
    public function exclusive(callable $work): mixed;
}

/** Stores tokens in a file that only its owner can read, for any number of processes on one machine, such as PHP-FPM's. */
final class FileTokenStore implements TokenStore
{
    public function __construct(private readonly string $file)
    {
    }

    public function load(): ?Tokens
    {
        if (!file_exists($this->file)) {
            return null;
        }
        $text = file_get_contents($this->file);
        if ($text === false) {
            throw new \RuntimeException("The tokens in $this->file cannot be read");
        }
        $kept = json_decode($text, true, 8, JSON_THROW_ON_ERROR);
        return new Tokens(
            $kept['accessToken'],
            $kept['refreshToken'],
            $kept['expiresAt'],
            $kept['refreshingSince'] ?? null,
        );
    }

    /** Writes a new file and renames it, so that a process that dies leaves either the old or the new tokens. */
    public function save(Tokens $tokens): void
    {
        $new = $this->file . '.' . bin2hex(random_bytes(6)) . '.new';
        $handle = $this->opened($new, 'x');
        try {
            $text = json_encode($tokens, JSON_THROW_ON_ERROR);
            if (fwrite($handle, $text) !== strlen($text) || !fflush($handle) || !fsync($handle)) {
                throw new \RuntimeException("The tokens could not be written to $new");
            }
        } catch (\Throwable $error) {
            unlink($new);
            throw $error;
        } finally {
            fclose($handle);
        }
        if (!rename($new, $this->file)) {
            throw new \RuntimeException("The tokens could not be put into $this->file");
        }
    }

    /** Locks a file of its own, because the file of the tokens is replaced. The lock ends with a process that dies. */
    public function exclusive(callable $work): mixed
    {
        $handle = $this->opened("$this->file.lock", 'c');
        try {
            if (!flock($handle, LOCK_EX)) {
                throw new \RuntimeException("$this->file.lock cannot be locked");
            }
            return $work();
        } finally {
            fclose($handle);
        }
    }

    /** @return resource */
    private function opened(string $file, string $mode)
    {
        $before = umask(0o077);
        try {
            $handle = fopen($file, $mode);
        } finally {
            umask($before);
        }
        if ($handle === false) {
            throw new \RuntimeException("$file cannot be opened");
        }
        return $handle;
    }
}

/**
 * Access tokens: read from the store and renewed in time, by one process at once.
 *
 * Every renewal returns a new refresh token and replaces the previous one. A note that a refresh is about to be sent is
 * stored first, and the new pair is stored before it is used. A process that dies in between leaves the old refresh token
 * with that note, and the service accepts the token again for 30 minutes after its first use: a process that finds the note
 * therefore renews at once, even if the access token is still valid.
 */
final class AccessTokens
{
    /** The usual life of an access token, in seconds, for an answer without one (optional in RFC 6749, section 5.1). */
    private const USUAL_LIFE = 1_800;

    /** @param array<string, mixed> $shared */
    public function __construct(
        private readonly TokenStore $store,
        private readonly array $shared,
        private readonly string $authUrl,
        private readonly string $clientId,
        private readonly string $clientSecret,
        private readonly Http $http,
        private readonly Clock $clock,
    ) {
    }

    /** `$refused`: an access token that the service has just refused. Throws `GrantLost`, `RefreshFailed`. */
    public function get(?string $refused = null): string
    {
        $stored = $this->store->load();
        if ($stored !== null && $this->isGood($stored, $refused)) {
            return $stored->accessToken;
        }
        // A browser that disconnects would end the script after the answer and before the tokens are on disk.
        $before = ignore_user_abort(true);
        try {
            return $this->store->exclusive(fn (): string => $this->renewed($refused)->accessToken);
        } finally {
            ignore_user_abort((bool) $before);
        }
    }

    private function isGood(Tokens $tokens, ?string $refused): bool
    {
        $ahead = $this->shared['refreshAheadSeconds'] * 1000;
        return $tokens->refreshingSince === null
            && $tokens->accessToken !== $refused
            && $tokens->expiresAt - $ahead > $this->clock->now();
    }

    private function renewed(?string $refused): Tokens
    {
        // Another process may have renewed the token meanwhile.
        $stored = $this->store->load();
        if ($stored === null) {
            throw new GrantLost('There are no tokens yet: the customer must give consent');
        }
        if ($this->isGood($stored, $refused)) {
            return $stored;
        }
        if ($stored->refreshingSince === null) {
            $this->store->save(
                new Tokens($stored->accessToken, $stored->refreshToken, $stored->expiresAt, $this->clock->now()),
            );
        }
        try {
            $fresh = $this->ask($stored->refreshToken);
        } catch (RefreshFailed $error) {
            $isUsable = $stored->accessToken !== $refused && $stored->expiresAt > $this->clock->now();
            return $isUsable ? $stored : throw $error;
        }
        $this->store->save($fresh);
        return $fresh;
    }

    private function ask(string $refreshToken): Tokens
    {
        $asked = $this->clock->now();
        $form = ['grant_type' => 'refresh_token', 'refresh_token' => $refreshToken];
        $headers = ['Accept' => 'application/json', 'Content-Type' => 'application/x-www-form-urlencoded'];
        if ($this->shared['credentials'] === 'basic') {
            $headers['Authorization'] = 'Basic ' . base64_encode("$this->clientId:$this->clientSecret");
        } else {
            $form += ['client_id' => $this->clientId, 'client_secret' => $this->clientSecret];
        }
        $url = rtrim($this->authUrl, '/') . $this->shared['tokenPath'];
        try {
            $answer = $this->http->send(
                'POST',
                $url,
                $headers,
                http_build_query($form, '', '&'),
                $this->shared['timeoutSeconds'],
            );
        } catch (NoAnswer $error) {
            throw new RefreshFailed('The authorisation server gave no answer', 0, $error);
        }
        $told = json_decode($answer->text, true);
        $told = is_array($told) ? $told : [];
        if ($answer->status === 400 && ($told['error'] ?? null) === 'invalid_grant') {
            throw new GrantLost('The refresh token is not accepted: the customer must give consent again');
        }
        $accessToken = $told['access_token'] ?? null;
        if ($answer->status < 200 || $answer->status > 299 || !is_string($accessToken) || $accessToken === '') {
            throw new RefreshFailed("The authorisation server answered $answer->status");
        }
        $next = $told['refresh_token'] ?? null;
        $seconds = $told['expires_in'] ?? null;
        $life = is_numeric($seconds) && $seconds > 0 ? $seconds : self::USUAL_LIFE;
        return new Tokens(
            $accessToken,
            is_string($next) && $next !== '' ? $next : $refreshToken,
            $asked + (int) ($life * 1000),
        );
    }
}
