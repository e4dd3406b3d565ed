import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { readImportFile } from '../../src/features/accounts/import/file.ts';
import { Status } from '../../src/features/status/status.ts';
import { Flow } from '../../src/http/api/endpoint.ts';
import { flow } from '../../src/http/api/flow.ts';
import { readJson } from '../../src/http/api/json-body.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { STEP } from '../../src/lib/time/turn.ts';
import { noRows } from '../features/status/rows.ts';
import { turnsDuring } from '../support/turns.ts';
import { HandClock } from '../support/clock.ts';

const MIB = 1_048_576;

function bodyOf(text: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
  const request = Object.assign(Readable.from([Buffer.from(text)]), { headers });
  return readJson(request as unknown as Request, () => undefined, 8 * MIB);
}

describe('a large request of an operator leaves room for other calls', () => {
  it('if it is a list of accounts', async () => {
    const { value, turns } = await turnsDuring(() =>
      readImportFile(`account key\n${'K\n'.repeat(10_000)}`, 10_000),
    );
    expect(value.lines).toHaveLength(10_000);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('if it is JSON', async () => {
    const text = JSON.stringify({
      names: Array.from({ length: 50_000 }, (_, at) => ({ name: `Account ${at}` })),
    });
    const { value, turns } = await turnsDuring(() => bodyOf(text));
    expect(value).toEqual(JSON.parse(text));
    // Its text is looked through twice: before it is read, and for names that come twice.
    expect(turns).toBeGreaterThanOrEqual(2 * Math.floor(text.length / STEP));
  });

  it('if it is JSON with too many values, which is refused', async () => {
    await expect(bodyOf(`[${'[],'.repeat(200_000)}[]]`)).rejects.toThrow(
      'it contains more than 250000 values',
    );
  });

  it('if it is the report on all accounts', async () => {
    const status = new Status({
      groups: { find: () => Promise.resolve(undefined) },
      search: () => Promise.resolve(new Set()),
      kinds: () => [],
      rows: { read: async () => noRows, readOne: async () => noRows },
      clock: new HandClock(),
      options: {
        refreshLife: 60 * DAY,
        v1End: undefined,
        mails: true,
        language: 'en',
        v1: { answers: true, numbers: true },
      },
    });
    const { turns } = await turnsDuring(() => status.statusReport());
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('if it is a list that is read as fast as it is written', async () => {
    const written: string[] = [];
    const response = {
      req: { method: 'GET' },
      destroyed: false,
      writeHead: () => undefined,
      write: (text: string) => written.push(text) > 0,
      end: () => undefined,
    } as unknown as Response;
    async function* pieces(): AsyncGenerator<string> {
      for (let count = 0; count < 20; count += 1) yield 'x'.repeat(STEP);
    }
    const { turns } = await turnsDuring(() => flow(response, new Flow(pieces()), {}));
    expect(written.join('')).toHaveLength(20 * STEP);
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});
