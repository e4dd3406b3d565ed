/**
 * The process that rehearses an account and plays recorded calls. It receives one order over its channel,
 * reports progress, and ends; if the process that started it is gone, it ends at once. It writes nothing to
 * disk.
 */
import { keepDebuggerShut } from '../lib/debugger.ts';
import { wordsOf } from '../lib/log/log.ts';
import { loadMapping } from '../mapping/compile/compile.ts';
import { exportCalls } from './export.ts';
import type { ReplayProcessNews, ReplayProcessOrder } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import { rehearse } from './rehearse.ts';
import { replay } from './replay.ts';

keepDebuggerShut();

process.once('disconnect', () => {
  process.exit(1);
});

const tell = (news: ReplayProcessNews): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(news, undefined, undefined, () => {
      resolve();
    });
  });

/** In milliseconds: more frequent reports would not be readable, and each is a message. */
const PROGRESS_EVERY = 200;
let told = 0;
const progress: Progress = (words, done, of) => {
  const now = performance.now();
  if (done > 0 && now - told < PROGRESS_EVERY) return;
  told = now;
  void tell({ news: 'progress', words, done, of });
};

/** Compiles the mapping here, because an edited mapping may have faults, which are then the answer. */
async function carriedOut(order: ReplayProcessOrder): Promise<unknown> {
  const mapping = loadMapping(order.mappings);
  switch (order.task) {
    case 'rehearse':
      return rehearse(order, mapping, progress);
    case 'export':
      return exportCalls(order, mapping, progress);
    case 'replay':
      return replay(order.files, mapping, progress);
  }
}

process.once('message', (order: ReplayProcessOrder) => {
  carriedOut(order)
    .then((outcome) => tell({ news: 'done', outcome }))
    .catch((error: unknown) => tell({ news: 'failed', words: wordsOf(error) }))
    .finally(() => process.exit(0));
});
void tell({ news: 'ready' });
