<?php

declare(strict_types=1);

namespace LegacyClient;

/**
 * One call by a program: its input is checked against the row of the method and sent to V3, and the answer is read. A list
 * is read page by page and returned completely or not at all.
 */
final class Call
{
    /** Limit of pages, which no list reaches. */
    private const MOST_PAGES = 10_000;
    /** Elements about the pages of a list. */
    private const BESIDE = ['Status', 'TotalRecords', 'Page', 'PageSize'];
    /** How often a list is read again because it changed meanwhile. */
    private const RESTARTS = 3;

    /**
     * @param array<string, mixed> $method the row of the mapping
     * @param array{path?: array<string, string>, query?: array<string, string|null>, body?: array<string, mixed>} $input
     * @param array<string, mixed> $shared
     */
    public function __construct(
        private readonly array $method,
        private readonly array $input,
        private readonly array $shared,
        private readonly Transport $transport,
    ) {
    }

    /** Returns the content of the reply besides `Status`. Throws `ServiceError`, `GrantLost`, `RefreshFailed`. */
    public function make(): mixed
    {
        $reply = $this->method['reply'];
        $query = $this->query();
        $body = $this->document();
        if ($reply['form'] === 'list') {
            return $this->listOf($query, $body, $reply);
        }
        $root = $this->ask($query, $body);
        return match ($reply['form']) {
            'status' => null,
            'id' => $this->idIn($root, $reply['kind']),
            'one' => $this->oneIn($root, $reply),
        };
    }

    /** @return list<array{string, string}> */
    private function query(): array
    {
        $id = $this->method['id'];
        $known = array_map(strtolower(...), $this->method['query'] ?? []);
        $given = [];
        foreach ($this->input['query'] ?? [] as $name => $value) {
            if ($value === null) {
                continue;
            }
            if (!in_array(strtolower((string) $name), $known, true)) {
                throw new InvalidCall("$id has no parameter $name", $id);
            }
            $given[strtolower((string) $name)] = $value;
        }
        foreach ($this->method['requires'] ?? [] as $name) {
            if (($given[strtolower($name)] ?? '') === '') {
                throw new InvalidCall("$name is missing", $id);
            }
        }
        return array_map(static fn ($name): array => [(string) $name, $given[$name]], array_keys($given));
    }

    private function document(): ?string
    {
        $body = $this->method['body'] ?? null;
        if ($body === null) {
            return null;
        }
        $given = $this->input['body'] ?? throw $this->invalid("{$body['root']} is missing");
        $rows = $this->rows($body['of']);
        $this->check($given, $rows, $body['root']);
        $record = $this->written($body['root'], $given, $rows);
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n" . Xml::write($record);
    }

    private function invalid(string $words): InvalidCall
    {
        return new InvalidCall($words, $this->method['id']);
    }

    /** @return array<string, array<string, mixed>> */
    private function rows(string $name): array
    {
        return $this->method['records'][$name] ?? [];
    }

    /**
     * @param array<string, mixed> $given
     * @param array<string, array<string, mixed>> $rows
     */
    private function check(array $given, array $rows, string $path): void
    {
        foreach ($given as $name => $value) {
            $row = $rows[$name] ?? throw $this->invalid("$path has no element $name");
            if ($value !== null) {
                $this->checkValue($value, $row, "$path/$name");
            }
        }
        foreach ($rows as $name => $row) {
            $value = $given[$name] ?? null;
            $isBlank = $value === null || $value === [] || (is_string($value) && trim($value) === '');
            if (($row['required'] ?? false) && $isBlank) {
                throw $this->invalid("$path/$name is missing");
            }
        }
    }

    /** @param array<string, mixed> $row */
    private function checkValue(mixed $value, array $row, string $path): void
    {
        $of = $row['one'] ?? $row['list'][1] ?? $row['many'] ?? null;
        $isMany = isset($row['list']) || isset($row['many']);
        if ($of === null) {
            if (!is_string($value)) {
                throw $this->invalid("$path does not hold a text");
            }
            return;
        }
        if (!is_array($value) || ($isMany && !array_is_list($value)) || (!$isMany && $value !== [] && array_is_list($value))) {
            throw $this->invalid("$path does not hold " . ($isMany ? 'a list' : 'a record'));
        }
        foreach ($isMany ? $value : [$value] as $record) {
            if (!is_array($record)) {
                throw $this->invalid("$path does not hold records");
            }
            $this->check($record, $this->rows($of), $path);
        }
    }

    /**
     * Writes a record for V3, with its elements in the order of the table.
     *
     * @param array<string, mixed> $given
     * @param array<string, array<string, mixed>> $rows
     */
    private function written(string $name, array $given, array $rows): XmlElement
    {
        $element = new XmlElement($name);
        foreach ($rows as $own => $row) {
            $value = $given[$own] ?? null;
            $own = $row['v3'] ?? (string) $own;
            if ($value === null) {
                continue;
            }
            if ($row['attribute'] ?? false) {
                $element->attributes[$own] = $value;
            } else {
                array_push($element->children, ...$this->writtenValue($own, $value, $row));
            }
        }
        return $element;
    }

    /**
     * @param array<string, mixed> $row
     * @return list<XmlElement>
     */
    private function writtenValue(string $own, mixed $value, array $row): array
    {
        $records = fn (string $name, array $some, string $of): array => array_map(
            fn (array $one): XmlElement => $this->written($name, $one, $this->rows($of)),
            $some,
        );
        if (isset($row['one'])) {
            return $records($own, [$value], $row['one']);
        }
        if (isset($row['many'])) {
            return $records($own, $value, $row['many']);
        }
        if (isset($row['list'])) {
            [$child, $of] = $row['list'];
            return [new XmlElement($own, [], $records($child, $value, $of))];
        }
        // A masked number that is sent back would overwrite the real one.
        $isMasked = ($row['as'] ?? '') === 'maskedTail' && preg_match('/^\*+[^*]{0,3}$/Du', trim($value)) === 1;
        return $isMasked ? [] : [new XmlElement($own, [], [], $value)];
    }

    /** @param list<array{string, string}> $query */
    private function ask(array $query, ?string $body): XmlElement
    {
        $v3 = $this->method['v3'];
        try {
            return $this->askAt($v3['verb'], $v3['path'], $query, $body);
        } catch (NotFound $error) {
            if (!isset($v3['elsewhere'])) {
                throw $error;
            }
            return $this->askAt($v3['verb'], $v3['elsewhere'], $query, $body);
        } catch (Refused $error) {
            // Nothing was done: the service has the call under another verb.
            if ($error->status !== 405 || !isset($v3['otherVerb'])) {
                throw $error;
            }
            return $this->askAt($v3['otherVerb'], $v3['path'], $query, $body);
        }
    }

    /**
     * @param list<string> $pattern
     * @param list<array{string, string}> $query
     */
    private function askAt(string $verb, array $pattern, array $query, ?string $body): XmlElement
    {
        $id = $this->method['id'];
        $path = array_map(
            fn (string $part): string => str_starts_with($part, '{') ? $this->placed(substr($part, 1, -1)) : $part,
            $pattern,
        );
        try {
            $answer = $this->transport->send($id, $verb, $path, $query, $body);
        } catch (NoAnswer $error) {
            throw $verb === 'GET' || !$error->isSent
                ? new Unavailable($error->isSent ? 'The service gave no answer' : 'Nothing was sent', $id, null, $error)
                : new OutcomeUnknown('The service gave no answer: nobody knows whether it was carried out', $id, null, $error);
        }
        return $this->judged($answer, $verb === 'GET');
    }

    /** Fills the path's placeholders. Throws `InvalidCall` for a value that is empty or leads to another address. */
    private function placed(string $name): string
    {
        $text = trim($this->input['path'][$name] ?? '');
        if (in_array($text, ['', '.', '..'], true)) {
            throw $this->invalid("$name is missing");
        }
        return $text;
    }

    /** Returns the root of the answer, trying the forms of the address until one exists. */
    private function judged(Answer $answer, bool $isGet): XmlElement
    {
        $id = $this->method['id'];
        $status = $answer->status;
        try {
            $root = Xml::read($answer->text);
        } catch (\UnexpectedValueException) {
            $root = null;
        }
        $isOk = $status >= 200 && $status < 300;
        $said = $root?->told('Status');
        if ($isOk && $said === 'OK' && $root !== null) {
            return $root;
        }
        $words = $root?->child('ErrorDescription')?->text ?? '';
        if ($isOk && $said === 'ERROR') {
            throw new Refused($words === '' ? 'The service refused the call' : $words, $id, $status);
        }
        if ($isOk) {
            throw $this->unusable('The answer is not XML of the service', $this->method['isRead']);
        }
        throw $this->failure($status, $words === '' ? "The service answered $status" : $words, $isGet);
    }

    private function failure(int $status, string $words, bool $isRead): ServiceError
    {
        $id = $this->method['id'];
        return match (true) {
            $status === 429 => new RateLimited(0, $id),
            $status === 401, $status === 403 => new NotAuthorised($words, $id, $status),
            $status === 404 => new NotFound($words, $id, $status),
            $status >= 400 && $status < 500 => new Refused($words, $id, $status),
            $status < 400 => new UnusableAnswer($words, $id, $status),
            $isRead => new Unavailable($words, $id, $status),
            default => new OutcomeUnknown("$words: nobody knows whether it was carried out", $id, $status),
        };
    }

    /** The error for an answer without content. The outcome of a write is then unknown. */
    private function unusable(string $words, bool $isRead): ServiceError
    {
        $id = $this->method['id'];
        return $isRead ? new UnusableAnswer($words, $id) : new OutcomeUnknown($words, $id);
    }

    /**
     * @param array{element: string, of: string} $reply
     * @return array<string, mixed>
     */
    private function oneIn(XmlElement $root, array $reply): array
    {
        foreach ([$root, ...$root->children] as $around) {
            $found = $around->child($reply['element']);
            if ($found !== null) {
                return $this->record($found, $this->rows($reply['of']));
            }
        }
        throw $this->unusable("The answer has no {$reply['element']}", $this->method['isRead']);
    }

    /** A number that is text is in `ID`; all other identifiers are UUIDs. */
    private function idIn(XmlElement $root, string $kind): string
    {
        foreach ($kind === 'number' ? ['ID'] : ['UUID', 'ID'] as $name) {
            $text = $root->told($name) ?? '';
            if ($text !== '') {
                return $text;
            }
        }
        return '';
    }

    /**
     * Returns each record once. Throws if the list may be incomplete.
     *
     * @param list<array{string, string}> $query
     * @param array{container: string, element: string, of: string} $reply
     * @return list<array<string, mixed>>
     */
    private function listOf(array $query, ?string $body, array $reply): array
    {
        for ($attempt = 0; $attempt < self::RESTARTS; $attempt += 1) {
            $all = $this->pagesOf($query, $body, $reply);
            if ($all !== null) {
                $rows = $this->rows($reply['of']);
                return array_map(fn (XmlElement $one): array => $this->record($one, $rows), $all);
            }
        }
        throw $this->unusable('The list changed while it was read; read it again', true);
    }

    /**
     * Returns null if records were deleted or moved meanwhile, so that others may have been skipped. Records that were
     * added only push others onto the next page.
     *
     * @param list<array{string, string}> $query
     * @param array{container: string, element: string} $reply
     * @return list<XmlElement>|null
     */
    private function pagesOf(array $query, ?string $body, array $reply): ?array
    {
        $names = $this->shared['v3'];
        // A call that names a page gets that page.
        $isOnePage = in_array($names['page'], array_column($query, 0), true);
        $size = $isOnePage ? null : $this->method['v3']['pageSize'] ?? null;
        $all = [];
        $before = 0;
        $distinct = 0;
        $last = null;
        $fewest = null;
        $previous = '';
        for ($page = 1; $page <= self::MOST_PAGES; $page += 1) {
            $asked = $size === null ? [] : [[$names['page'], (string) $page]];
            if (is_int($size)) {
                $asked[] = [$names['size'], (string) $size];
            }
            $root = $this->ask([...$query, ...$asked], $body);
            $records = $this->listIn($root, $reply);
            $total = $this->countIn($root, 'TotalRecords');
            if ($size === null) {
                if (!$isOnePage && count($records) < ($total ?? 0)) {
                    throw $this->unusable('The list is not whole', true);
                }
                return $records;
            }
            $length = $total ?? $last;
            if ($last !== null && $length < $last) {
                return null;
            }
            $shown = implode("\n", array_map(fn (XmlElement $one) => $this->identityOf($one) ?? serialize($one), $records));
            $isAgain = $page > 1 && $shown === $previous;
            if ($isAgain && $length === null) {
                return array_values($all); // the list has no pages
            }
            if ($isAgain && $length === $last) {
                return null;
            }
            $keys = array_map(fn ($one, $at) => $this->identityOf($one) ?? "$page/$at", $records, array_keys($records));
            $distinct += count(array_filter($keys, static fn (string $key): bool => !isset($all[$key])));
            foreach ($records as $at => $record) {
                $all[$keys[$at]] = $record;
            }
            $before += count($records);
            $last = $length;
            $fewest ??= $total; // a smaller count has ended the reading
            $previous = $shown;
            if ($records === [] && $before < ($total ?? 0)) {
                throw $this->unusable('The list is not whole', true);
            }
            $full = $this->countIn($root, 'PageSize') ?? $size;
            $isMore = $total === null ? $full === 'own' || count($records) === $full : $before < $total;
            if ($records === [] || !$isMore) {
                return $distinct < ($fewest ?? 0) ? null : array_values($all);
            }
        }
        throw $this->unusable('The list has no end', true);
    }

    /** Prefixed, because PHP would turn a whole number into an integer key. */
    /**
     * Throws if the records are in another place than the list, because an empty list would make the program delete its
     * own records. An answer that holds nothing at all is an empty list.
     *
     * @param array{container: string, element: string} $reply
     * @return list<XmlElement>
     */
    private function listIn(XmlElement $root, array $reply): array
    {
        $list = $root->child($reply['container']);
        foreach ($root->children as $beside) {
            if ($beside->name === $reply['container'] || in_array($beside->name, self::BESIDE, true)) {
                continue;
            }
            $hasRecords = $beside->name === $reply['element'] || $beside->child($reply['element']) !== null;
            if ($hasRecords || ($list === null && !$this->isPaging($beside))) {
                throw $this->unusable("The answer has no {$reply['container']}", true);
            }
        }
        return $list?->all($reply['element']) ?? [];
    }

    /** A whole number says nothing but how the list is paged, unless it counts records that are not there. */
    private function isPaging(XmlElement $beside): bool
    {
        $text = trim($beside->text);
        if ($beside->children !== [] || preg_match('/^\d*$/D', $text) !== 1) {
            return false;
        }
        $counts = preg_match('/page/i', $beside->name) !== 1 && preg_match('/count|records|total/i', $beside->name) === 1;
        return !$counts || trim($text, '0') === '';
    }

    private function identityOf(XmlElement $record): ?string
    {
        $text = strtolower(trim(($record->child('UUID') ?? $record->child('ID'))?->text ?? ''));
        return $text === '' ? null : "record $text";
    }

    private function countIn(XmlElement $root, string $name): ?int
    {
        $text = $root->told($name) ?? '';
        return preg_match('/^\d{1,15}$/D', $text) === 1 ? (int) $text : null;
    }

    /**
     * Reads a record of V3 under the legacy names of its elements.
     *
     * @param array<string, array<string, mixed>> $rows
     * @return array<string, mixed>
     */
    private function record(XmlElement $element, array $rows): array
    {
        $found = [];
        foreach ($rows as $name => $row) {
            $value = $this->valueIn($this->childOf($element, (string) $name, $row), $row);
            if ($value !== null) {
                $found[$name] = $value;
            }
        }
        return $found;
    }

    /** @param array<string, mixed> $row */
    private function childOf(XmlElement $element, string $name, array $row): ?XmlElement
    {
        foreach ([$row['v3'] ?? $name, ...$row['also'] ?? []] as $one) {
            $all = $element->all($one);
            if ($all !== []) {
                return $all[count($all) - 1];
            }
        }
        return null;
    }

    /**
     * @param array<string, mixed> $row
     * @return array<mixed>|string|null
     */
    private function valueIn(?XmlElement $child, array $row): array|string|null
    {
        if (isset($row['one'])) {
            $isUnset = $child === null || $this->isUnset($child);
            return $isUnset ? null : $this->record($child, $this->rows($row['one']));
        }
        if (isset($row['list'])) {
            [$name, $of] = $row['list'];
            if ($child === null) {
                return ($row['unset'] ?? '') === 'empty' && !($row['detailed'] ?? false) ? [] : null;
            }
            $rows = $this->rows($of);
            return array_map(fn (XmlElement $entry): array => $this->record($entry, $rows), $child->all($name));
        }
        return isset($row['many']) ? null : $this->textIn($child, $row);
    }

    /** @param array<string, mixed> $row */
    private function textIn(?XmlElement $child, array $row): ?string
    {
        $text = isset($row['id']) ? trim($child?->text ?? '') : $child?->text ?? '';
        $unset = $row['unset'] ?? '';
        if ($text === '') {
            return $unset === 'omit' || ($unset === 'asGiven' && $child === null) ? null : '';
        }
        return isset($row['id']) ? $text : Formats::fromV3($row['as'] ?? '', $text);
    }

    /** V3 may write an unset record as an empty element. */
    private function isUnset(XmlElement $element): bool
    {
        foreach ($element->children as $child) {
            if ($child->children !== [] || trim($child->text) !== '') {
                return false;
            }
        }
        return true;
    }
}
