import type { SeededRandom } from './seeded-random.ts';
import { awkwardAddresses, familyNames, givenNames, streets, towns } from './words.ts';

/** An address; one in ten has a form that programs often get wrong. */
export function address(random: SeededRandom) {
  const [city, region, postCode, country] = random.pick<(typeof towns)[number]>(towns);
  const line = random.is(0.1)
    ? random.pick(awkwardAddresses)
    : `${random.integer(1, 400)} ${random.pick(streets)}`;
  return { address: line, city, region, postCode, country };
}

/** A first and a family name. */
export const person = (random: SeededRandom): string =>
  `${random.pick(givenNames)} ${random.pick(familyNames)}`;
