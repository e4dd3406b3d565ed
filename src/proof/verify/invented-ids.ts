import { isUuid, type Translation } from '../../proxy/identifiers.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * Numbers for the UUIDs that one API version shows, in the order in which they come: what is verified neither reads nor
 * changes the numbers of customers. A number without a UUID becomes one that no record has.
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
        const known = numbers.get(uuid);
        if (known !== undefined) return known;
        const number = String(numbers.size + 1);
        numbers.set(uuid, number);
        uuids.set(number, uuid);
        return number;
      }),
  };
}
