import { describe, expect, it } from '@jest/globals';
import { Heartbeats } from '../../../src/app/workers/heartbeats.ts';
import { ListLog } from '../../tokens/harness.ts';

class FakeWorker {
  serves: boolean;
  readonly number = 1;
  readonly killed: string[] = [];
  readonly asked: unknown[] = [];
  readonly told: unknown[] = [];
  readonly process = { process: { pid: 7, kill: (signal: string) => this.killed.push(signal) } };
  readonly channel = {
    ask: (_kind: string, body: unknown) =>
      new Promise<unknown>((resolve) => {
        this.asked.push(body);
        this.answer = resolve;
      }),
    tell: (_kind: string, body: unknown) => {
      this.told.push(body);
    },
  };
  answer: (answer: unknown) => void = () => undefined;

  constructor(serves = true) {
    this.serves = serves;
  }
}

/** It answers every heartbeat. */
class LivelyWorker extends FakeWorker {
  override readonly channel = { ask: async (): Promise<unknown> => true, tell: (): void => undefined };
}

describe('the heartbeat of a worker', () => {
  const setting = (...workers: readonly FakeWorker[]) => {
    const log = new ListLog();
    const heartbeats = new Heartbeats(log);
    const beats = async (count: number, { isWhole = true, given = workers } = {}): Promise<void> => {
      for (let beat = 0; beat < count; beat += 1) {
        heartbeats.beat(given, { kind: 'worker.crew', body: 'crew', isWhole });
        await Promise.resolve();
      }
    };
    return { log, heartbeats, beats };
  };

  it('that stops is reported, and the worker killed in the end unless all are silent', async () => {
    const hung = new FakeWorker();
    const { log, heartbeats, beats } = setting(hung);
    await beats(30);
    expect([heartbeats.isSilent(hung), log.lines.length]).toEqual([false, 0]);
    await beats(30);
    expect(heartbeats.isSilent(hung)).toBe(true);
    expect(log.named('worker.silent')).toEqual([{ number: 1, pid: 7 }]);
    await beats(60);
    expect(hung.killed).toEqual([]);
    await beats(1, { given: [hung, new LivelyWorker()] });
    expect([hung.killed, hung.asked]).toEqual([['SIGKILL'], ['crew']]);
  });

  it('is missed in a worker that hangs while it starts in place of another', async () => {
    const starting = new FakeWorker(false);
    const { beats } = setting(starting, new LivelyWorker());
    await beats(60);
    expect(starting.killed).toEqual([]);
    await beats(1);
    expect(starting.killed).toEqual(['SIGKILL']);
  });

  it('is not missed in a worker at its first start', async () => {
    const starting = new FakeWorker(false);
    const { beats } = setting(starting, new LivelyWorker());
    await beats(100, { isWhole: false });
    expect([starting.killed, starting.asked, starting.told.length]).toEqual([[], [], 100]);
  });

  it('is there again once it answers, and the log says so', async () => {
    const busy = new FakeWorker();
    const { log, heartbeats, beats } = setting(busy, new LivelyWorker());
    await beats(40);
    busy.answer(true);
    await beats(20);
    expect(heartbeats.isSilent(busy)).toBe(false);
    expect([busy.asked.length, busy.killed]).toEqual([2, []]);
    expect(log.named('worker.answers')).toEqual([{ number: 1, pid: 7 }]);
  });

  it('is not there again when a silent worker ends', async () => {
    const killed = new FakeWorker();
    const { log, beats } = setting(killed, new LivelyWorker());
    await beats(40);
    killed.answer(undefined);
    await beats(1);
    expect(log.named('worker.answers')).toEqual([]);
  });
});
