/**
 * Starts the process that rehearses an account and replays recorded calls (`src/replay/main.ts`), and waits for its
 * result. A process of its own, because its database and its XML would keep this one from serving calls; it ends with
 * this one, however this one ends.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Refusal } from '../lib/log/terminal.ts';
import type { ReplayProcessNews, ReplayProcessOrder } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';

/** Throws `Refusal`, with the reason, if it does not finish. `signal`: ends it at once. */
export async function runReplayProcess<Outcome>(
  order: ReplayProcessOrder,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Outcome> {
  const child = spawn(process.execPath, [launcher, 'replay/main.ts'], {
    // Without this process's environment: neither its settings nor its keys.
    env: { PATH: process.env.PATH ?? '', TZ: process.env.TZ ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const stop = (): void => {
    child.kill('SIGKILL');
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await outcomeOf<Outcome>(child, order, progress);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

const launcher = join(import.meta.dirname, '..', 'launch.js');
/** Characters kept of its error output. */
const LONGEST_WORDS = 500;

/** Rejects with `Refusal`, at the latest when the process ends. */
function outcomeOf<Outcome>(
  child: ChildProcess,
  order: ReplayProcessOrder,
  progress: Progress,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let words = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-LONGEST_WORDS);
    });
    child.on('message', (news: ReplayProcessNews) => {
      if (news.news === 'ready') child.send(order);
      else if (news.news === 'progress') progress(news.words, news.done, news.of);
      else if (news.news === 'done') resolve(news.outcome as Outcome);
      else reject(new Refusal(news.words));
    });
    child.once('error', (error) => {
      reject(new Refusal(`its process cannot be started: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      reject(
        new Refusal(`its process ended (${signal ?? code ?? 'unknown'})${words === '' ? '' : `: ${words}`}`),
      );
    });
  });
}
