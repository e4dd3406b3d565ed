/**
 * Reads a file of refresh tokens: CSV whose first line names the columns, or JSON, a list of objects or an object with
 * the list `grants`. Every line is judged separately; no message quotes a token.
 */
import { z } from 'zod';
import { Secret } from '../../../lib/secret/secret.ts';
import { reducedHeader, textOfCsv } from '../../../lib/text/csv-cell.ts';
import { faultBelow, readCsvInSteps, type CsvLine } from '../../../lib/text/csv.ts';

/** A line of a file of tokens. */
export interface TokenLine {
  /** The line in the file; for a JSON list: the number of the entry, from 1. */
  readonly line: number;
  /** Name or id of the account; empty if the line has none. */
  readonly account: string;
  readonly token: Secret | undefined;
  /** Id or name of the organisation that the token is for. */
  readonly organisation: string | undefined;
  /** Why it cannot be imported, as text; undefined if the file shows no fault. */
  readonly fault: string | undefined;
}

/** The file is not a list of tokens; the text is for its sender. */
export class UnusableTokenFile extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'UnusableTokenFile';
  }
}

/** Most tokens in one file. */
export const MOST_TOKENS = 10_000;
/** In characters: room for `MOST_TOKENS` tokens of usual length. */
const LONGEST_TOKEN_FILE = 32 * 1024 * 1024;

/** A line as read, before it is judged. */
interface Given {
  readonly line: number;
  readonly account?: string | undefined;
  readonly token?: string | undefined;
  readonly organisation?: string | undefined;
  readonly fault?: string | undefined;
}

type Column = 'account' | 'token' | 'organisation';

/** Headers reduced to lower-case letters. */
const spellings: Readonly<Record<string, Column>> = {
  account: 'account',
  accountid: 'account',
  accountname: 'account',
  id: 'account',
  name: 'account',
  refreshtoken: 'token',
  token: 'token',
  organisation: 'organisation',
  organisationid: 'organisation',
  organization: 'organisation',
  organizationid: 'organisation',
  tenantid: 'organisation',
};

/** Reads and judges a file. Throws `UnusableTokenFile`. */
export async function readTokenFile(text: string): Promise<readonly TokenLine[]> {
  if (text.length > LONGEST_TOKEN_FILE)
    throw new UnusableTokenFile(`the file has more than ${LONGEST_TOKEN_FILE} characters; split it`);
  if (text.includes('\uFFFD')) throw new UnusableTokenFile('the file is not in UTF-8');
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const given = /^\s*[[{]/.test(content) ? fromJson(content) : await fromCsv(content);
  if (given.length === 0) throw new UnusableTokenFile('the file has no tokens');
  if (given.length > MOST_TOKENS)
    throw new UnusableTokenFile(`the file has more than ${MOST_TOKENS} tokens; split it`);
  return judgeTokens(given);
}

/**
 * Judges lines together: a token is presented once, so two lines with the same one cannot both be right, nor can two
 * tokens for one account.
 */
export function judgeTokens(given: readonly Given[]): readonly TokenLine[] {
  const byToken = Map.groupBy(given, ({ token }) => token);
  const byAccount = Map.groupBy(given, ({ account }) => account);
  return given.map((one) => ({
    line: one.line,
    account: one.account ?? '',
    token: one.token === undefined || one.token === '' ? undefined : new Secret(one.token),
    organisation: one.organisation === '' ? undefined : one.organisation,
    fault:
      one.fault ??
      faultOf(one) ??
      twice('the same token appears', byToken.get(one.token)) ??
      twice('the same account appears', byAccount.get(one.account)),
  }));
}

/** The first few lines suffice to find them. */
const twice = (words: string, alike: readonly Given[] = []): string | undefined =>
  alike.length > 1
    ? `${words} in lines ${alike
        .slice(0, 5)
        .map(({ line }) => line)
        .join(', ')}`
    : undefined;

/**
 * In the form that a request can carry: printable and without spaces (RFC 6749, appendix A.17); anything longer is not
 * a token.
 */
const tokenForm = /^[\x21-\x7e]{1,65536}$/;

function faultOf({ account = '', token = '' }: Given): string | undefined {
  if (account === '') return 'there is no account';
  if (token === '') return 'there is no refresh token';
  return tokenForm.test(token)
    ? undefined
    : 'the refresh token must be one word of printable characters, without spaces';
}

/** Entries that are not objects carry their fault, so that the others keep their numbers. */
const entrySchema = z.object({
  account: z.string().max(1_000),
  refreshToken: z.string(),
  organisation: z.string().max(1_000).optional(),
});
const renamed = z.looseObject({}).transform((entry) => {
  const named = Object.entries(entry).flatMap(([name, value]) => {
    const column = spellings[reducedHeader(name)];
    return column === undefined ? [] : [[column === 'token' ? 'refreshToken' : column, value] as const];
  });
  return Object.fromEntries(named);
});

function fromJson(text: string): readonly Given[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error quotes the text.
    throw new UnusableTokenFile('the file looks like JSON, but is not valid JSON');
  }
  const list: unknown = Array.isArray(value) ? value : Reflect.get(Object(value) as object, 'grants');
  if (!Array.isArray(list)) throw new UnusableTokenFile('the JSON must be a list, or have the list "grants"');
  return list.map((entry: unknown, index): Given => {
    const read = renamed.pipe(entrySchema).safeParse(entry);
    const line = index + 1;
    if (!read.success)
      return {
        line,
        fault: 'it must have account, refreshToken and optionally organisation, all of them strings',
      };
    const { account, refreshToken, organisation } = read.data;
    return {
      line,
      account: account.trim(),
      token: refreshToken.trim(),
      organisation: organisation?.trim(),
    };
  });
}

async function fromCsv(text: string): Promise<readonly Given[]> {
  const [first, ...lines] = await readCsvInSteps(text, MOST_TOKENS + 1);
  const columns = (first?.cells ?? []).map((cell) => spellings[reducedHeader(textOfCsv(cell))]);
  for (const wanted of ['account', 'token'] as const)
    if (columns.filter((column) => column === wanted).length !== 1)
      throw new UnusableTokenFile(
        'the first line must name the columns account, refresh token and optionally organisation, each once',
      );
  return lines.map((line) => givenIn(line, columns));
}

function givenIn(read: CsvLine, columns: readonly (Column | undefined)[]): Given {
  const { line, cells } = read;
  const cell = (wanted: Column): string | undefined => {
    const value = cells[columns.indexOf(wanted)];
    return columns.includes(wanted) && value !== undefined ? textOfCsv(value) : undefined;
  };
  return {
    line,
    account: cell('account'),
    // Taken as it is: a leading apostrophe belongs to the token and is not a spreadsheet's guard.
    token: cells[columns.indexOf('token')],
    organisation: cell('organisation'),
    fault: faultBelow(read, columns.length),
  };
}
