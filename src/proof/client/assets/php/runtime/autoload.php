<?php

declare(strict_types=1);

foreach (['Errors', 'Http', 'Clock', 'Tokens', 'Transport', 'Xml', 'Formats', 'Call', 'Connection'] as $name) {
    require_once __DIR__ . "/$name.php";
}
