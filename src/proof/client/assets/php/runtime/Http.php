<?php

declare(strict_types=1);

namespace LegacyClient;

/** A complete answer. */
final class Answer
{
    public function __construct(
        public readonly int $status,
        public readonly string $text,
        public readonly ?string $retryAfter = null,
    ) {
    }
}

/** Sends one request. */
interface Http
{
    /**
     * Returns the answer, with any status; follows no redirection. Throws `NoAnswer`.
     *
     * @param array<string, string> $headers
     */
    public function send(string $verb, string $url, array $headers, ?string $body, int $timeoutSeconds): Answer;
}

/** Uses the extension curl. */
final class CurlHttp implements Http
{
    public function send(string $verb, string $url, array $headers, ?string $body, int $timeoutSeconds): Answer
    {
        $retryAfter = null;
        $curl = curl_init();
        $lines = [];
        foreach ($headers as $name => $value) {
            if (preg_match('/[\r\n\0]/', $name . $value) === 1) {
                throw new \InvalidArgumentException("The header $name holds a line break");
            }
            $lines[] = "$name: $value";
        }
        curl_setopt_array($curl, [
            CURLOPT_URL => $url,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CUSTOMREQUEST => $verb,
            // Without `Expect: 100-continue`, for which some servers wait.
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT => $timeoutSeconds,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$retryAfter): int {
                if (stripos($line, 'retry-after:') === 0) {
                    $retryAfter = trim(substr($line, strlen('retry-after:')));
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($curl);
        if (!is_string($text)) {
            $unconnected = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT];
            throw new NoAnswer(curl_error($curl), !in_array(curl_errno($curl), $unconnected, true));
        }
        return new Answer(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $text, $retryAfter);
    }
}
