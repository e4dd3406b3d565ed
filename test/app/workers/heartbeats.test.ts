import { describe, expect, it } from '@jest/globals';
import { Heartbeats } from '../../../src/app/workers/heartbeats.ts';
import { ListLog } from '../../tokens/harness.ts';

describe('the heartbeat of a worker', () => {
  function worker() {
    const killed: string[] = [];
    let answer: () => void = () => undefined;
    const asked: unknown[] = [];
    return {
      ...{
        number: 1,
        killed,
        asked,
        answer: () => {
          answer();
        },
      },
      process: { process: { pid: 7, kill: (signal: string) => killed.push(signal) } },
      channel: {
        ask: (_kind: string, body: unknown) =>
          new Promise<undefined>((resolve) => {
            asked.push(body);
            answer = () => {
              resolve(undefined);
            };
          }),
      },
    };
  }

  it('that stops is reported, and the worker killed in the end unless all are silent', () => {
    const [log, hung] = [new ListLog(), worker()];
    const heartbeats = new Heartbeats(log);
    const beats = (count: number, areAllSilent = false): void => {
      for (let beat = 0; beat < count; beat += 1)
        heartbeats.beat(hung, { kind: 'worker.crew', body: 'crew', areAllSilent });
    };
    beats(30);
    expect([heartbeats.isSilent(hung), log.lines.length]).toEqual([false, 0]);
    beats(30);
    expect(heartbeats.isSilent(hung)).toBe(true);
    expect(log.named('worker.silent')).toEqual([{ number: 1, pid: 7 }]);
    beats(60, true);
    expect(hung.killed).toEqual([]);
    beats(1);
    expect([hung.killed, hung.asked]).toEqual([['SIGKILL'], ['crew']]);
  });

  it('is there again once it answers', async () => {
    const busy = worker();
    const heartbeats = new Heartbeats(new ListLog());
    const beat = (body: number): void => {
      heartbeats.beat(busy, { kind: 'worker.crew', body, areAllSilent: false });
    };
    for (let count = 0; count < 40; count += 1) beat(count);
    busy.answer();
    await Promise.resolve();
    for (let count = 40; count < 60; count += 1) beat(count);
    expect(heartbeats.isSilent(busy)).toBe(false);
    expect([busy.asked, busy.killed]).toEqual([[0, 40], []]);
  });
});
