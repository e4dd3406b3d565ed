/**
 * The page that answers a button of the clock. It is written step by step while the time passes, because with
 * hundreds of accounts three days take half a minute. It needs no JavaScript: at the end it leads back to the
 * start page by itself.
 */
import type { Response } from 'express';
import { Html, html } from '../../sandbox/screens/html.ts';
import { moves, stepsOf, type Move } from '../clock/moves.ts';
import type { Inbox } from './inbox.ts';
import { demoPage, passedWords, type DemoTime } from './start.ts';

/** Placeholder for the steps. */
const STEPS = '<!-- steps -->';

const page = (words: string): Html =>
  demoPage(
    html`<main>
      <h1>${words} …</h1>
      <p>Everything that falls due in that time is done now. With hundreds of accounts that takes a while.</p>
      ${new Html(STEPS)}
    </main>`,
  );

/** Resolves at the end of the move. */
export async function sendPassing(
  response: Response,
  move: Move,
  { inbox, time }: { readonly inbox: Pick<Inbox, 'received'>; readonly time: DemoTime },
): Promise<void> {
  const { words, millis } = moves[move];
  const steps = stepsOf(millis).length;
  const before = inbox.received;
  const [beginning = '', end = ''] = page(words).text.split(STEPS);
  response.type('text/html').write(beginning);
  const moved = await time.move(move, (step) => {
    response.write(html`<p class="soft">Step ${step} of ${steps}</p> `.text);
  });
  const passed = moved ? { move, mails: inbox.received - before } : 'stuck';
  const address = passed === 'stuck' ? '/start?stuck=1' : `/start?passed=${move}&mails=${passed.mails}`;
  response.end(
    html`<p class="passed" role="status">${passedWords(passed)}</p>
      <p><a href="${address}">Back to the start page</a></p>
      <meta http-equiv="refresh" content="0; url=${address}" />`.text + end,
  );
}
