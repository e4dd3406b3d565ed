/**
 * Lines that look alike in many files on purpose; `duplicates.ts` does not count them as repetition. Each row says why
 * sharing them would be worse. A line is in the form in which shapes are compared: every name is `n`, every text `s`,
 * every number `0`.
 */
export interface Idiom {
  readonly reason: string;
  readonly line: RegExp;
}

/** A run of lines counts as repeated only if enough of it is none of these. */
export const idioms: readonly Idiom[] = [
  {
    reason:
      'A step of a chain: queries (Kysely), commands (commander) and schemas (zod) are languages, and a function for a sentence of them would hide its types',
    line: /^\.\$?n\(/,
  },
  {
    reason: 'A class takes its parts and keeps them: without inheritance each says so itself',
    line: /^n\([^)]*\) \{$|^n\.#?n = [ns];$|^n\([ns]\);$|^n #?n = new n|^return n\.#n;$/,
  },
  {
    reason: 'The head of a function: parameters and the parts taken out of them',
    line: /^(?:export )?(?:async )?(?:function )?#?n\([^)]*\): [\w<>[\]| ]+ \{$|^get n\(\): n \{$|^\): [\w<>[\]| ]+ \{$|^const \{[^}]*\} = n(?:\.#?n)*;$/,
  },
  {
    reason: 'A group of commands lists them: `commandGroup` is what they share',
    line: /^return n\($|^n\(n\),$/,
  },
  {
    reason: 'A migration is history: it says what it did when it ran, and nothing changes that later',
    line: /^\}\)\.n\(\);$|^await n\(n, s, (?:s, s\);|\[s\], \{)$/,
  },
  {
    reason: 'A field that is mapped or described: the list of fields is what the file is about',
    line: /^n: n(?:\.n)*(?:\([^)]*\)(?:\.n\(\))*)?,$/,
  },
];
