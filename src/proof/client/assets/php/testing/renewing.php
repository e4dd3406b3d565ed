<?php

/** One of several processes that need an access token at the same time: prints it, and logs its refreshes to a file. */

declare(strict_types=1);

namespace LegacyClient\Testing;

use LegacyClient\AccessTokens;
use LegacyClient\Answer;
use LegacyClient\Clock;
use LegacyClient\FileTokenStore;
use LegacyClient\Http;

require __DIR__ . '/../runtime/autoload.php';

[, $folder] = $argv;
$http = new class ($folder) implements Http {
    public function __construct(private readonly string $folder)
    {
    }

    public function send(string $verb, string $url, array $headers, ?string $body, int $timeoutSeconds): Answer
    {
        parse_str((string) $body, $form);
        file_put_contents("$this->folder/refreshes", $form['refresh_token'] . "\n", FILE_APPEND);
        // Long enough that the others have to wait.
        usleep(300_000);
        return new Answer(200, '{"access_token":"fresh","refresh_token":"r2","expires_in":1800}');
    }
};
$shared = ['refreshAheadSeconds' => 60, 'credentials' => 'body', 'tokenPath' => '/token', 'timeoutSeconds' => 10];
$store = new FileTokenStore("$folder/tokens.json");
echo (new AccessTokens($store, $shared, 'http://service', 'c', 's', $http, new Clock()))->get();
