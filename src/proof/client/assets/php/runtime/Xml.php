<?php

declare(strict_types=1);

namespace LegacyClient;

/** An element with its text; if it has children, the text between them is ignored. */
final class XmlElement
{
    /**
     * @param array<string, string> $attributes
     * @param list<XmlElement> $children
     */
    public function __construct(
        public readonly string $name,
        public array $attributes = [],
        public array $children = [],
        public string $text = '',
    ) {
    }

    public function child(string $name): ?XmlElement
    {
        foreach ($this->children as $child) {
            if ($child->name === $name) {
                return $child;
            }
        }
        return null;
    }

    /** The text of a child without surrounding white space; null if there is no such child. */
    public function told(string $name): ?string
    {
        $child = $this->child($name);
        return $child === null ? null : trim($child->text);
    }

    /** @return list<XmlElement> */
    public function all(string $name): array
    {
        return array_values(array_filter($this->children, static fn (XmlElement $one): bool => $one->name === $name));
    }
}

/** The XML of V3: read without a document type, so that no entity is ever expanded, and written in a plain form. */
final class Xml
{
    /** CDATA, comment, instruction, end tag, start tag, text. A document type does not match. */
    private const TOKEN = '~<!\[CDATA\[(?<cdata>.*?)\]\]>|<!--.*?-->|<\?.*?\?>|</(?<end>[^\s<>/]++)\s*+>'
        . '|<(?<start>[^\s<>/!?]++)(?<given>(?:\s++[^\s=<>/]++\s*+=\s*+(?:"[^"<]*+"|\'[^\'<]*+\'))*+)\s*+(?<empty>/?)>'
        . '|(?<plain>[^<]++)~As';
    private const ATTRIBUTE = '~([^\s=]+)\s*=\s*(?:"([^"]*)"|\'([^\']*)\')~';
    private const NAMED = ['lt' => '<', 'gt' => '>', 'amp' => '&', 'quot' => '"', 'apos' => "'"];
    private const MOST_DEPTH = 64;

    /** Throws `UnexpectedValueException` for anything but one well-formed document without a document type. */
    public static function read(string $text): XmlElement
    {
        $root = new XmlElement('');
        $open = [$root];
        $at = str_starts_with($text, "\u{FEFF}") ? strlen("\u{FEFF}") : 0;
        while ($at < strlen($text)) {
            if (preg_match(self::TOKEN, $text, $match, PREG_UNMATCHED_AS_NULL, $at) !== 1) {
                throw new \UnexpectedValueException("not XML at byte $at");
            }
            $at += strlen($match[0]);
            self::take($match, $open);
        }
        $document = $root->children[0] ?? null;
        if (count($open) !== 1 || $document === null || count($root->children) > 1 || trim($root->text) !== '') {
            throw new \UnexpectedValueException('not one XML document');
        }
        return $document;
    }

    /**
     * @param array<string|int, string|null> $match
     * @param list<XmlElement> $open
     */
    private static function take(array $match, array &$open): void
    {
        $around = $open[count($open) - 1] ?? throw new \UnexpectedValueException('an end tag too many');
        $around->text .= ($match['cdata'] ?? '') . self::unescaped($match['plain'] ?? '');
        if (isset($match['end']) && (array_pop($open)?->name !== $match['end'] || $open === [])) {
            throw new \UnexpectedValueException('an end tag that ends nothing');
        }
        if (!isset($match['start'])) {
            return;
        }
        $element = new XmlElement($match['start'], self::attributesIn($match['given'] ?? ''));
        $around->children[] = $element;
        if (($match['empty'] ?? '') !== '/') {
            $open[] = $element;
        }
        if (count($open) > self::MOST_DEPTH) {
            throw new \UnexpectedValueException('nested too deeply');
        }
    }

    /** @return array<string, string> */
    private static function attributesIn(string $text): array
    {
        $found = [];
        preg_match_all(self::ATTRIBUTE, $text, $matches, PREG_SET_ORDER);
        foreach ($matches as $match) {
            $found[$match[1]] = self::unescaped($match[3] ?? $match[2]);
        }
        return $found;
    }

    private static function unescaped(string $text): string
    {
        if (!str_contains($text, '&')) {
            return $text;
        }
        return preg_replace_callback(
            '/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));|&/i',
            static function (array $match): string {
                $name = $match[3] ?? '';
                if ($name !== '') {
                    return self::NAMED[$name] ?? throw new \UnexpectedValueException('an unknown entity');
                }
                $code = ($match[1] ?? '') !== '' ? (int) hexdec($match[1]) : (int) ($match[2] ?? 0);
                $isOne = count($match) > 1 && $code > 0 && $code <= 0x10FFFF && ($code < 0xD800 || $code > 0xDFFF);
                return $isOne ? characterOf($code) : throw new \UnexpectedValueException('an unknown entity');
            },
            $text,
        ) ?? throw new \UnexpectedValueException('not UTF-8');
    }

    /** Writes the element without an XML declaration. */
    public static function write(XmlElement $element): string
    {
        $given = '';
        foreach ($element->attributes as $name => $value) {
            $given .= " $name=\"" . self::escaped($value) . '"';
        }
        $inner = $element->children === []
            ? self::escaped($element->text)
            : implode('', array_map(self::write(...), $element->children));
        return $inner === ''
            ? "<$element->name$given />"
            : "<$element->name$given>$inner</$element->name>";
    }

    /** Replaces characters that no XML document can contain. */
    private static function escaped(string $text): string
    {
        $whole = htmlspecialchars($text, ENT_COMPAT | ENT_SUBSTITUTE | ENT_XML1, 'UTF-8');
        $held = preg_replace('/[^\t\n\r\x{20}-\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]/u', "\u{FFFD}", $whole);
        return str_replace("\r", '&#13;', $held ?? '');
    }
}

/** A character by its code, in UTF-8: `mb_chr` would need another extension. */
function characterOf(int $code): string
{
    $tail = static fn (int $shift): string => chr(0x80 | (($code >> $shift) & 0x3F));
    return match (true) {
        $code < 0x80 => chr($code),
        $code < 0x800 => chr(0xC0 | ($code >> 6)) . $tail(0),
        $code < 0x10000 => chr(0xE0 | ($code >> 12)) . $tail(6) . $tail(0),
        default => chr(0xF0 | ($code >> 18)) . $tail(12) . $tail(6) . $tail(0),
    };
}
