<?php

/** Makes calls with a generated client: `php play-client.php CLIENT FILE` prints what each gave, as JSON. */

declare(strict_types=1);

[, $folder, $file] = $argv;
require "$folder/Client.php";

['connection' => $given, 'calls' => $calls] = json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);
$connection = new LegacyClient\Connection(...$given, tokens: new LegacyClient\FileTokenStore("$file.tokens"));
$service = new LegacyClient\Service($connection, require "$folder/methods.php", require "$folder/shared.php");
$replies = [];
foreach ($calls as ['method' => $method, 'input' => $input]) {
    try {
        $replies[] = ['reply' => $service->call($method, $input)];
    } catch (LegacyClient\ServiceError $error) {
        $replies[] = ['error' => $error->getMessage()];
    }
}
echo json_encode($replies, JSON_THROW_ON_ERROR);
