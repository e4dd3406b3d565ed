import type { ConnectionView, OldKeys } from '../../features/connection/model.ts';
import type { Rich } from '../../features/texts/text.ts';
import type { Words } from '../../features/texts/words.ts';
import { inHtml } from '../../lib/text/html-text.ts';

/** Names of the texts of each stage, below `status`; a stage of a later version has none. */
const stages: Readonly<Partial<Record<string, string>>> = {
  legacy: 'legacy',
  'awaiting-operator': 'awaiting',
  consented: 'consented',
  migrated: 'migrated',
  lost: 'lost',
  closed: 'closed',
};

/** Whether a consent is in force. */
export const isConnected = ({ stage }: Pick<ConnectionView, 'stage'>): boolean =>
  stage === 'consented' || stage === 'migrated';

/** Whether the page leads to another approval. It exists since the first one, which may have ended before the move. */
export const mayApproveAgain = (view: Pick<ConnectionView, 'stage'>): boolean =>
  isConnected(view) || view.stage === 'lost' || view.stage === 'legacy';

/** The values that the page of a connection shows to everyone who has its link. */
export function connectionValues(words: Words, view: ConnectionView): Readonly<Record<string, unknown>> {
  const { account, stage, organisation, lastCallAt, keys, at } = view;
  return {
    account,
    name: stages[stage],
    bad: stage === 'lost' || stage === 'closed',
    good: isConnected(view),
    organisation: organisation ?? words.say('status.none'),
    lastCall: lastCallAt === undefined ? plain(words.say('status.never')) : words.moment(lastCallAt),
    early: stage === 'consented' && stillWork(keys),
    keys: keysWords(words, keys),
    moment: words.moment(at),
  };
}

/** Then the programs go on with them if the connection ends before its move. */
const stillWork = ({ state }: OldKeys): boolean => state === 'open' || state === 'until';

const plain = (text: string): Rich => ({ text, html: inHtml(text) });

/** Undefined: the account never had V1 keys. */
function keysWords(words: Words, keys: OldKeys): string | undefined {
  switch (keys.state) {
    case 'none':
      return undefined;
    case 'moved':
      return inHtml(words.say('status.keysMoved'));
    case 'open':
      return inHtml(words.say('status.keysOpen'));
    case 'ended':
      return words.rich('status.keysEnded', { day: words.date(keys.day) });
    case 'until': {
      const until = words.rich('status.keysUntil', { day: words.date(keys.day) });
      return `${until} (${inHtml(words.count('status.keysDays', keys.daysLeft))})`;
    }
  }
}
