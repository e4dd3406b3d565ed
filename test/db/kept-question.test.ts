import { expect, it } from '@jest/globals';
import type pg from 'pg';
import { KeptQuestion } from '../../src/db/postgres/kept-question.ts';

const PID = 7;

/** A connection as `pg` hands it out. */
class Connection {
  readonly processID = PID;
  released = 0;
  #waiting: ((error: Error) => void) | undefined;
  readonly #isSilent: boolean;

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  query(asked: unknown): Promise<unknown> | undefined {
    if (typeof asked === 'string') return Promise.resolve({ rows: [{ standby: false, pid: PID }] });
    const { callback } = asked as { readonly callback: (error: Error | null, text?: string) => void };
    if (this.#isSilent) this.#waiting = callback;
    else setImmediate(callback, null, 'state');
    return undefined;
  }

  release(): void {
    this.released += 1;
    this.#waiting?.(new Error('Connection terminated'));
  }
}

function poolOf(...connections: readonly Connection[]): pg.Pool {
  const left = [...connections];
  return { connect: async () => left.shift() } as unknown as pg.Pool;
}

const patient = { answer: 600_000, idle: 600_000 };

it('a query on a connection that stays silent is abandoned, and the next one uses another connection', async () => {
  const [dead, alive] = [new Connection(true), new Connection(false)];
  const silence = { ...patient, answer: 1 };
  const question = new KeptQuestion(poolOf(dead, alive), 'select 1', silence);
  const held = setInterval(() => undefined, 1_000);
  await expect(question.ask()).rejects.toThrow('terminated');
  clearInterval(held);
  expect(dead.released).toBe(1);
  silence.answer = patient.answer;
  expect(await question.ask()).toBe('state');
});

it('a connection that was idle for long is replaced before it is used', async () => {
  const [first, second] = [new Connection(false), new Connection(false)];
  const question = new KeptQuestion(poolOf(first, second), 'select 1', { ...patient, idle: -1 });
  expect([await question.ask(), await question.ask()]).toEqual(['state', 'state']);
  expect([first.released, second.released]).toEqual([1, 0]);
});

it('a connection in use is kept, and closed at the end', async () => {
  const only = new Connection(false);
  const question = new KeptQuestion(poolOf(only), 'select 1', patient);
  expect([await question.ask(), await question.ask()]).toEqual(['state', 'state']);
  question.end();
  expect(only.released).toBe(1);
});

it('a connection made during shutdown is closed', async () => {
  const late = new Connection(false);
  const question = new KeptQuestion(poolOf(late), 'select 1', patient);
  const asked = question.ask();
  question.end();
  await expect(asked).rejects.toThrow('being closed');
  expect(late.released).toBe(1);
});
