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

  it('that stops is reported, and the worker killed in the end', () => {
    const [log, hung] = [new ListLog(), worker()];
    const heartbeats = new Heartbeats(log);
    const beats = (count: number): void => {
      for (let beat = 0; beat < count; beat += 1) heartbeats.beat(hung, 'worker.crew', 'crew');
    };
    beats(30);
    expect([heartbeats.isSilent(hung), log.lines.length]).toEqual([false, 0]);
    beats(30);
    expect(heartbeats.isSilent(hung)).toBe(true);
    expect(log.named('worker.silent')).toEqual([{ number: 1, pid: 7 }]);
    expect(hung.killed).toEqual([]);
    beats(1);
    expect([hung.killed, hung.asked]).toEqual([['SIGKILL'], ['crew']]);
  });

  it('is there again once it answers', async () => {
    const busy = worker();
    const heartbeats = new Heartbeats(new ListLog());
    for (let beat = 0; beat < 40; beat += 1) heartbeats.beat(busy, 'worker.crew', beat);
    busy.answer();
    await Promise.resolve();
    for (let beat = 40; beat < 60; beat += 1) heartbeats.beat(busy, 'worker.crew', beat);
    expect(heartbeats.isSilent(busy)).toBe(false);
    expect([busy.asked, busy.killed]).toEqual([[0, 40], []]);
  });
});
