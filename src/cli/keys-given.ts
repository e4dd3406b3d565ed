import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { Secret } from '../lib/secret/secret.ts';
import { Misuse, Refusal, type Terminal } from '../lib/log/terminal.ts';

/** The options that pass keys: on the command line, with `-` on standard input, or in files. */
export interface KeyOptions {
  readonly accountKey?: string;
  readonly accountKeyFile?: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
}

/** Returns undefined if no key is given. Throws `Misuse`, `Refusal`. */
export async function keysGiven(
  options: KeyOptions,
  terminal: Terminal,
): Promise<{ readonly accountKey: Secret | undefined; readonly apiKey: Secret | undefined }> {
  const lines = [options.accountKey, options.apiKey].includes('-')
    ? (await terminal.read()).split(/\r?\n/).values()
    : [].values();
  const accountKey = await keyOf('account', options.accountKey, options.accountKeyFile, lines, terminal);
  const apiKey = await keyOf('API', options.apiKey, options.apiKeyFile, lines, terminal);
  return { accountKey, apiKey };
}

async function keyOf(
  which: 'account' | 'API',
  given: string | undefined,
  file: string | undefined,
  lines: Iterator<string>,
  terminal: Terminal,
): Promise<Secret | undefined> {
  if (given !== undefined && file !== undefined) throw new Misuse(`the ${which} key is given twice`);
  if (given === undefined && file === undefined) return undefined;
  const text = file !== undefined ? await loaded(file, terminal) : given === '-' ? nextLine(lines) : given;
  const key = text?.trim() ?? '';
  if (key === '') throw new Misuse(`the ${which} key is empty`);
  if (/[\s\p{Cc}]/u.test(key)) throw new Misuse(`the ${which} key must be one word`);
  return new Secret(key);
}

function nextLine(lines: Iterator<string>): string {
  const next = lines.next();
  return next.done === true ? '' : next.value;
}

/** Throws `Refusal` if the file cannot be read. */
export async function loaded(path: string, terminal: Terminal): Promise<string> {
  try {
    return await terminal.load(path);
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${whyUnread(error)}`);
  }
}

const whys: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'it may not be read by this user',
  EPERM: 'it may not be read by this user',
  EISDIR: 'it is a folder',
};

const whyUnread = (error: unknown): string => {
  const code = codeOf(error);
  return whys[code] ?? (code || 'it is not text');
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** `--force` of the commands whose file may hold what exists nowhere else, such as keys and tokens. */
export const forceOption = (): Option => new Option('--force', 'replace an existing file').default(false);

const exists = (path: string): Refusal => new Refusal(`${path} already exists; --force replaces it`);

/** For a command that writes a file only after it has changed something. Throws `Refusal` if the file is there. */
export async function refuseExisting(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // A device or a pipe is written to.
  if (found?.isFile() === true) throw exists(path);
}

/** Writes a file that only its owner may read. Throws `Refusal` if that fails. */
export async function saved(path: string, text: string, terminal: Terminal, replaces = true): Promise<void> {
  try {
    await terminal.save(path, text, { keepsFile: !replaces });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw exists(path);
    throw new Refusal(
      code === 'EPERM'
        ? `${path} cannot be written: it belongs to another user, who could read it`
        : `${path} cannot be written`,
    );
  }
}
