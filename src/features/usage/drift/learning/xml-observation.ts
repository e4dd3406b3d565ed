/**
 * The form of a reply in XML, or of the beginning of a long one: an element counts once the one around it has ended,
 * so that incomplete records are not judged.
 */
import type { ParserEvents } from '../../../../lib/xml/parser.ts';
import { Refusal } from '../../../../lib/xml/refusal.ts';
import { typeWords } from '../../../../mapping/value-types.ts';
import { OTHER } from '../../names/account-use.ts';
import { readElements } from '../../names/element-names.ts';
import { addType, keptName, placeIn, seenAt, type Observation } from './observation.ts';

const DEEPEST = 12;
/** In characters: a longer value is text. */
const LONGEST_VALUE = 100;

interface Open {
  readonly place: string;
  text: string;
  /** How often each of its elements occurred. */
  readonly names: Map<string, number>;
}

class Observer implements ParserEvents {
  readonly observation: Observation = new Map();
  readonly #open: Open[] = [];

  open(name: string): void {
    if (this.#open.length >= DEEPEST) throw new Refusal('too-large');
    const around = this.#open.at(-1);
    const kept = keptName(name);
    // Places omit the root.
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

/** The form below the root. Reads in slices and yields between them; never rejects. */
export async function xmlObservation(message: Uint8Array): Promise<Observation | undefined> {
  const observer = new Observer();
  await readElements(message, observer);
  return observer.observation.size === 0 ? undefined : observer.observation;
}
