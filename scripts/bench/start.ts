import { setTimeout as pause } from 'node:timers/promises';
import { withServers, type Bench } from './bench.ts';
import { digits, spread, spreadOf, table } from './figures.ts';
import { REPLY_FROM } from './peers.ts';
import { seed } from './seed.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startReplyFrom, startUpstream } from './servers.ts';

const SETTLED_MS = 2_000;

/** The figures of one start. */
interface Figures {
  /** Until its line `ready`, in milliseconds. */
  readonly ready: number;
  /** Processor time until then, in milliseconds: a busy machine affects it less. */
  readonly processor: number;
  /** Resident two seconds later, in bytes. */
  readonly memory: number;
}

async function figuresOf(open: () => Promise<ServerProcess>): Promise<Figures> {
  const begun = performance.now();
  const server = await open();
  const ready = performance.now() - begun;
  const processor = 1_000 * server.cpuSeconds();
  await pause(SETTLED_MS);
  const memory = server.residentBytes();
  await server.stop();
  return { ready, processor, memory };
}

/**
 * The time from the start of the process to its line `ready`; its memory two seconds later. In turn with a common
 * proxy.
 */
export async function start({ folder, runs, note }: Bench): Promise<string> {
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'start', accounts: 1, clients: 0 });
    const own: Figures[] = [];
    const peer: Figures[] = [];
    for (let run = 0; run < runs; run += 1) {
      own.push(
        await figuresOf(() => startBridge({ folder, upstream, seeded, name: 'bridge', identifiers: 'uuid' })),
      );
      peer.push(await figuresOf(() => startReplyFrom(folder, upstream)));
    }
    const spreadOfOwn = (figure: keyof Figures): ReturnType<typeof spreadOf> =>
      spreadOf(own.map((one) => one[figure]));
    const ratio = (figure: keyof Figures): number =>
      spreadOf(own.map((one, run) => one[figure] / (peer[run]?.[figure] ?? Number.NaN))).median;
    note([
      {
        ...{ section: 'start', subject: 'bridge', accounts: 1, cpuMicros: null },
        ...{ ratio: ratio('processor'), peer: REPLY_FROM, peakMb: null },
        other: {
          readyMs: spreadOfOwn('ready').median,
          processorMs: spreadOfOwn('processor').median,
          idleMb: spreadOfOwn('memory').median * 1e-6,
        },
      },
    ]);
    const row = (words: string, figure: keyof Figures, scale: number): readonly string[] => [
      words,
      spread(spreadOfOwn(figure), scale),
      digits(ratio(figure)),
    ];
    return `## Start\n\n${table(
      ['', 'bridge', `ratio to ${REPLY_FROM}`],
      [
        row('start to ready, ms', 'ready', 1),
        row('processor time until then, ms', 'processor', 1),
        row('idle memory, MB', 'memory', 1e-6),
      ],
    )}`;
  });
}
