<?php

declare(strict_types=1);

namespace LegacyClient;

/** The time, and waiting. */
class Clock
{
    /** Milliseconds since the epoch. */
    public function now(): int
    {
        return (int) (microtime(true) * 1000);
    }

    public function sleep(int $millis): void
    {
        usleep($millis * 1000);
    }
}
