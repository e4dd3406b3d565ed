<?php

declare(strict_types=1);

namespace LegacyClient;

/** Formats that V3 writes differently from the legacy API. */
final class Formats
{
    private const LONGEST_DECIMAL = 1_000;

    public static function fromV3(string $format, string $text): string
    {
        return match ($format) {
            'twoPlaces' => self::twoPlaces($text),
            'timeOfDay' => self::timeOfDay($text),
            default => $text,
        };
    }

    /** Exact: digits never become a float. Any other text is left unchanged. */
    private static function twoPlaces(string $text): string
    {
        $isPlain = preg_match('/^(-?)(\d+)(?:\.(\d+))?$/D', trim($text), $match) === 1;
        if (!$isPlain || strlen($text) > self::LONGEST_DECIMAL) {
            return $text;
        }
        $fraction = str_pad($match[3] ?? '', 2, '0');
        $digits = $match[2] . substr($fraction, 0, 2);
        if (($fraction[2] ?? '0') >= '5') {
            $digits = self::plusOne($digits);
        }
        $digits = str_pad(ltrim($digits, '0'), 3, '0', STR_PAD_LEFT);
        $sign = trim($digits, '0') === '' ? '' : $match[1];
        return $sign . substr($digits, 0, -2) . '.' . substr($digits, -2);
    }

    private static function plusOne(string $digits): string
    {
        for ($at = strlen($digits) - 1; $at >= 0; $at -= 1) {
            if ($digits[$at] !== '9') {
                $digits[$at] = (string) ((int) $digits[$at] + 1);
                return $digits;
            }
            $digits[$at] = '0';
        }
        return "1$digits";
    }

    /** `HH:mm`; the OAuth form also prints minutes since midnight (`780`). */
    private static function timeOfDay(string $text): string
    {
        $given = trim($text);
        $minutes = preg_match('/^\d{1,4}$/D', $given) === 1 ? (int) $given : 1440;
        return $minutes >= 1440 ? $text : sprintf('%02d:%02d', intdiv($minutes, 60), $minutes % 60);
    }
}
