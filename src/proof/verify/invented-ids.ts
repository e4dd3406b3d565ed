import { isUuid } from '../../lib/text/uuid.ts';
import type { Translation } from '../../proxy/identifiers.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * Assigns numbers to the UUIDs that an API version shows, in order of appearance: verification neither reads
 * nor changes customers' numbers. A number without a UUID becomes a UUID that no record has.
 */
export function inventedIds(): Translation {
  const numbers = new Map<string, string>();
  const uuids = new Map<string, string>();
  return {
    toV3: async (walk) =>
      walk((_kind, text) => (text === '' || isUuid(text) ? text : (uuids.get(text) ?? NOBODY))),
    present: () => undefined,
    remembered: () => undefined,
    toLegacy: async (walk) =>
      walk((_kind, uuid) => {
        if (uuid === '') return '';
        const known = numbers.get(uuid);
        if (known !== undefined) return known;
        const number = String(numbers.size + 1);
        numbers.set(uuid, number);
        uuids.set(number, uuid);
        return number;
      }),
  };
}
