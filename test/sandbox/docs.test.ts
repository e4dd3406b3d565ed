import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations as jsonOperations } from '../../src/sandbox/json/operations.ts';
import { serveSandbox, type ServedSandbox } from '../../src/sandbox/serve.ts';
import { operations as xmlOperations } from '../../src/sandbox/xml/operation.ts';

const document = readFileSync(new URL('../../docs/reference/sandbox.md', import.meta.url), 'utf8');
const page = document.slice(document.indexOf('<!-- operations -->'));
const script = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? '').join('');
const printed = [...script.matchAll(/^curl .*  # ([\w.-]+)$/gm)].map(([line, id]) => ({
  line,
  id: id ?? '',
}));

interface Outcome {
  readonly id: string;
  readonly status: string;
  readonly text: string;
}

/**
 * The page as a reader runs it, in one shell from top to bottom; curl itself tells the status of each line. Whatever
 * stands in the page is run as it stands: only the address of the sandbox is another, and the lines get a mark each.
 */
async function run(url: string): Promise<readonly Outcome[]> {
  const marked = script
    .replaceAll(/^BASE=.*$/gm, `BASE='${url}'`)
    .replaceAll(/^(curl .*)  # ([\w.-]+)$/gm, `$1 -s -w '\\n%{http_code} @@$2@@\\n'`);
  const shell = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let told = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const ended = new Promise((resolve, reject) => shell.once('close', resolve).once('error', reject));
  shell.stdin.end(marked);
  await ended;
  return told.split('@@\n').flatMap((part) => {
    const [, text = '', status = '', id = ''] = /^([^]*)\n(\d+) @@(.*)$/.exec(part) ?? [];
    return id === '' ? [] : [{ id, status, text }];
  });
}

describe('the page of operations', () => {
  let sandbox: ServedSandbox;
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    // As `npm run sandbox` starts it when nobody says otherwise.
    const redirectUris = ['http://127.0.0.1:8080/_causeway/callback'];
    const application = {
      id: 'demo-client',
      name: 'Demo',
      secrets: ['demo-secret'],
      redirectUris,
      practice: true,
    };
    sandbox = await serveSandbox(
      { database: ':memory:', applications: [application] },
      { port: 0, host: '127.0.0.1' },
    );
    await sandbox.sandbox.seed({ size: 10 });
    outcomes = await run(sandbox.url);
  });

  afterAll(() => sandbox.close());

  it('has a line for every operation and no other', () => {
    const ids = [...xmlOperations, ...jsonOperations].map(({ id }) => id);
    expect(printed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(outcomes.map(({ id }) => id)).toEqual(printed.map(({ id }) => id));
  });

  it('has lines with the verb of the operation', () => {
    const verbs = new Map<string, string>([
      ...xmlOperations.map(({ id, verbs: [verb] }) => [id, verb] as const),
      ...jsonOperations.map(({ id, method }) => [id, method] as const),
    ]);
    for (const { id, line } of printed) {
      const verb = / -X (\w+) /.exec(line)?.[1] ?? (line.includes(' -d ') ? 'POST' : 'GET');
      expect([id, verb]).toEqual([id, verbs.get(id)]);
    }
  });

  it.each(printed)('$id works as printed (line $#)', ({ id }) => {
    const own = outcomes.filter((outcome) => outcome.id === id);
    expect(own.length).toBeGreaterThan(0);
    for (const { status, text } of own) {
      if (id === 'v2.quote-variations.get') {
        // There are none, and the page says so.
        expect([status, text]).toEqual(['404', expect.stringContaining('no such quote variation')]);
        continue;
      }
      // V1 answers 200 to what it refuses, and says so in the body.
      const isGood =
        /^20[01]$/.test(status) && (id.startsWith('v2.') || text.includes('<Status>OK</Status>'));
      expect(isGood ? 'good' : `${status} ${text}`).toBe('good');
    }
  });
});
