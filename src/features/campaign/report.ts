import { DAY } from '../../lib/time/clock.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import { storedIndex, type Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import type { NewMessage } from './model.ts';
import type { MessageKind } from './outbox.ts';

/** The column for which the link of a waiting message is sealed. */
export const LINK_COLUMN = sealedAs.link;

/** The key space of links to the page of a connection. */
export const STATUS_LINK = 'status-link';
/** In milliseconds. A customer may keep the page among the bookmarks; every new approval brings another link. */
const STATUS_LIFE = 400 * DAY;

/** A message that reports what happened to the connection of an account, with a link to the connection's page. */
export function reportMessage(
  { random, seal, host }: { readonly random: RandomSource; readonly seal: Seal; readonly host: string },
  kind: MessageKind,
  { to, about, now }: { readonly to: string; readonly about: string; readonly now: number },
): NewMessage {
  const [id, link] = [random.id(), random.secret()];
  return {
    id,
    invitationId: about,
    kind,
    to,
    reminder: undefined,
    messageId: `<${id}@${host}>`,
    linkSealed: seal.seal(link, id, LINK_COLUMN),
    statusLink: { linkIndex: storedIndex(seal, link, STATUS_LINK), expiresAt: now + STATUS_LIFE },
  };
}
