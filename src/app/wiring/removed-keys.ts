/**
 * Warns after a start if an encryption key is no longer configured and something in the database still needs it.
 *
 * Without the key nothing of that can be told from what never existed: a link says that it does not work, a repeat of a
 * write is carried out again. Rows that are looked up by a hash have no key id. The database therefore keeps which keys the
 * bridges had and since when each was the first one; what is older than the next first key is counted, as
 * `causeway keys status` does. Only a start that lacks such a key counts anything.
 */
import { z } from 'zod';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { iso } from '../../lib/time/iso.ts';
import type { KeyKeeper } from '../../tokens/sealing/key-rotation.ts';
import type { KeyRing } from '../../tokens/sealing/keyring.ts';
import type { NeededKey } from '../../tokens/sealing/sealed.ts';
import type { Store } from '../store.ts';

const RINGS = 'sealing-keys';

/**
 * `first`: since when it was the first key, the last time; 0: before this was kept. `from`: the same for the first time.
 * `warned`: a start without it has said so.
 */
const knownKeys = z.array(
  z.object({
    id: z.string(),
    first: z.number().optional(),
    from: z.number().optional(),
    warned: z.boolean().optional(),
  }),
);
type KnownKey = z.infer<typeof knownKeys>[number];

/** What the warning needs. */
export interface RemovedKeysParts {
  readonly store: { readonly settings: Pick<Store['settings'], 'get' | 'set'> };
  readonly ring: KeyRing;
  readonly keys: KeyKeeper;
  readonly log: Log;
}

/** Notes the keys of this start, and warns of each earlier one that is missed. Never rejects. */
export async function warnOfRemovedKeys(parts: RemovedKeysParts): Promise<void> {
  try {
    await compareKeys(parts);
  } catch (error) {
    parts.log.warn('keys.unchecked', { error: wordsOf(error) });
  }
}

async function compareKeys({ store, ring, keys, log }: RemovedKeysParts): Promise<void> {
  const stored = await store.settings.get(RINGS);
  const known = withRing(stored === undefined ? [] : knownKeys.parse(JSON.parse(stored)), ring, keys.since);
  const kept: KnownKey[] = [];
  for (const key of known)
    if (ring.ids.includes(key.id)) kept.push({ ...key, warned: undefined });
    else if (key.first !== undefined && (await isMissed(key, untilOf(key, known, keys.since), { keys, log })))
      kept.push({ ...key, warned: true });
  const text = JSON.stringify(kept);
  if (text !== stored) await store.settings.set(RINGS, text);
}

/** A key that is new behind the first one has never been used. The keys of the first start may all have been. */
function withRing(known: readonly KnownKey[], ring: KeyRing, since: number): readonly KnownKey[] {
  const earlier = known.length === 0 ? { first: 0 } : {};
  const fresh = ring.ids.filter((id) => !known.some((key) => key.id === id));
  const all: readonly KnownKey[] = [...known, ...fresh.map((id) => ({ id, ...earlier }))];
  return all.map((key) =>
    key.id === ring.ids[0] ? { ...key, first: since, from: key.from ?? key.first ?? since } : key,
  );
}

/** When the next key came first. */
const untilOf = ({ first = 0 }: KnownKey, known: readonly KnownKey[], since: number): number =>
  Math.min(since, ...known.map((key) => key.first ?? 0).filter((later) => later > first));

/**
 * Whether later starts have to look again. Erased accounts and imported tokens need a key for ever: they are named only
 * by the first start without it.
 */
async function isMissed(
  { id, from = 0, warned }: KnownKey,
  until: number,
  { keys, log }: Pick<RemovedKeysParts, 'keys' | 'log'>,
): Promise<boolean> {
  const needed = await keys.needing(id, { from, until });
  const ending = endingUses(needed);
  const { imports, erased } = needed.indexed;
  const uses = Object.entries({ ...ending, ...(warned !== true && { imports, erased }) });
  const some = uses.filter(([, count]) => count > 0);
  if (some.length > 0) log.warn('keys.missed', { keyId: id, ...Object.fromEntries(some), ...lastOf(needed) });
  return Object.values(ending).some((count) => count > 0);
}

const endingUses = ({ values, indexed, acceptances }: NeededKey): Readonly<Record<string, number>> => ({
  values,
  writes: indexed.keyed.writes + indexed.unfinished.writes,
  invitations: indexed.invitations.count,
  pages: indexed.pages.count,
  samples: indexed.samples.count,
  tokens: indexed.tokens.length,
  acceptances,
});

function lastOf({ indexed }: NeededKey): { readonly until?: string } {
  const { keyed, unfinished, invitations, pages, samples } = indexed;
  const ends = [keyed.until, unfinished.until, invitations.last, pages.last, samples.last];
  const last = Math.max(...ends.filter((end) => end !== undefined));
  return Number.isFinite(last) ? { until: iso(last) } : {};
}
