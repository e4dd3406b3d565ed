/**
 * The form of a reply in XML, of its beginning if it is long: an element counts when the one around it has ended, so that
 * nothing is said of records that are not there whole.
 */
import type { ParserEvents } from '../../../../lib/xml/parser.ts';
import { Refusal } from '../../../../lib/xml/refusal.ts';
import { typeWords } from '../../../../mapping/value-types.ts';
import { OTHER } from '../../names/account-use.ts';
import { readElements } from '../../names/element-names.ts';
import { addType, keptName, placeIn, seenAt, type Observation } from './observation.ts';

const DEEPEST = 12;
/** In characters: what is longer is text. */
const LONGEST_VALUE = 100;

interface Open {
  readonly place: string;
  text: string;
  /** How often each of its elements was there. */
  readonly names: Map<string, number>;
}

class Observer implements ParserEvents {
  readonly observation: Observation = new Map();
  readonly #open: Open[] = [];

  open(name: string): void {
    if (this.#open.length >= DEEPEST) throw new Refusal('too-large');
    const around = this.#open.at(-1);
    const kept = keptName(name);
    // The root is left out of the places.
    const place = around === undefined ? '' : placeIn(around.place, kept);
    if (around !== undefined) around.names.set(kept, (around.names.get(kept) ?? 0) + 1);
    this.#open.push({ place, text: '', names: new Map() });
  }

  text(text: string): void {
    const open = this.#open.at(-1);
    if (open !== undefined && open.text.length <= LONGEST_VALUE) open.text += text.slice(0, LONGEST_VALUE);
  }

  close(): void {
    const open = this.#open.pop();
    if (open !== undefined && !open.place.includes(OTHER)) this.#count(open);
  }

  #count({ place, text, names }: Open): void {
    const seen = seenAt(this.observation, place);
    if (seen === undefined) return;
    addType(seen, names.size > 0 ? 'object' : typeWords(text.trim()));
    if (names.size === 0) return;
    seen.objects += 1;
    for (const [name, times] of names) {
      const within = seenAt(this.observation, placeIn(place, name));
      if (within === undefined) continue;
      within.present += 1;
      if (times > 1) within.many += 1;
    }
  }
}

/** Below the root. Reads in slices, with a turn for others between them; never rejects. */
export async function xmlObservation(message: Uint8Array): Promise<Observation | undefined> {
  const observer = new Observer();
  await readElements(message, observer);
  return observer.observation.size === 0 ? undefined : observer.observation;
}
