import { SECOND } from '../../../src/lib/time/clock.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { contentOf, isAdd, type Intent, type Method, type PlayedAccount } from './intent.ts';
import type { PlayedService } from './service.ts';

export interface IntentionsParts {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly service: PlayedService;
  readonly accounts: readonly PlayedAccount[];
  readonly call: (intent: Intent) => void;
}

/** Shares of all writes. */
const KEYED = 0.15;
const CHANGING = 0.12;
const TWINS = 0.1;
/** The share of adds for which a similar record is made by hand meanwhile. */
const BY_HAND = 0.1;
const ASKS_AGAIN = 0.3;

const PATIENCES = [15, 30, 60, 100];

/** The actions that programs and people intend. */
export class Intentions {
  readonly all: Intent[] = [];
  /** Contents for which a similar record was made by hand: clients of the same name. */
  readonly resembled = new Set<string>();
  readonly #parts: IntentionsParts;
  /** Records not changed so far: account and number. */
  readonly #unchanged: (readonly [PlayedAccount, string])[] = [];
  readonly #begun: Intent[] = [];
  #byHand = 0;
  #over = 0;

  constructor(parts: IntentionsParts) {
    this.#parts = parts;
  }

  get areOver(): boolean {
    return this.#over === this.all.length;
  }

  /** Makes one more intent; sometimes with an identical one, or with a similar record by hand. */
  next(): void {
    const { random } = this.#parts;
    const intent = random() < CHANGING ? (this.#change() ?? this.#add()) : this.#add();
    this.#mean(intent);
    if (!isAdd(intent)) return;
    if (random() < TWINS) this.#twin(intent, random() * 8 * SECOND);
    if (random() < BY_HAND) this.#later(random() * 60 * SECOND, () => void this.#makeByHand(intent));
  }

  /** Called when the caller of an intent has stopped asking. */
  ended(intent: Intent): void {
    const { random } = this.#parts;
    const { final, key } = intent;
    this.#over += 1;
    if (final?.how !== 'ok' || intent.twinOf || intent.asksAgain) return;
    if (intent.method === 'client.add' && final.number !== undefined)
      this.#unchanged.push([intent.account, final.number]);
    if (!isAdd(intent)) return;
    if (random() < TWINS) this.#twin(intent, SECOND + random() * 60 * SECOND);
    if (key === undefined || random() > ASKS_AGAIN) return;
    if (random() < 0.5)
      this.#mean({ ...this.#anew(intent), name: `${intent.name} again`, asksAgain: intent });
    else
      this.#mean({
        ...this.#anew(intent),
        name: `${intent.name} misused`,
        body: this.#another(intent),
        misuses: intent,
      });
  }

  #mean(intent: Intent): void {
    this.all.push(intent);
    this.#parts.call(intent);
  }

  /** Makes an identical intent that is also meant; its program has its own key, or none. */
  #twin(intent: Intent, inMillis: number): void {
    const key = intent.key === undefined ? undefined : `${intent.key}-twin`;
    const twin: Intent = { ...this.#anew(intent), name: `${intent.name} twin`, key, twinOf: intent };
    this.all.push(twin);
    this.#later(inMillis, () => {
      this.#parts.call(twin);
    });
  }

  #anew(intent: Intent): Intent {
    return { ...intent, attempts: [], final: undefined };
  }

  #add(): Intent {
    const { random, accounts } = this.#parts;
    const account = accounts[Math.floor(random() * accounts.length)];
    if (account === undefined) throw new Error('there are no accounts');
    const nth = this.all.length;
    const [method, body] =
      random() < 0.5
        ? (['client.add', clientBody(`Client ${numbered(nth)}`, numbered(nth))] as const)
        : (['time.add', timeBody(account, nth, `note ${numbered(nth)}`)] as const);
    return this.#intent(account, method, 'POST', body);
  }

  /** Changes a record that was reported to a program and has not been changed; each is changed once. */
  #change(): Intent | undefined {
    const { random } = this.#parts;
    const at = Math.floor(random() * this.#unchanged.length);
    const [chosen] = this.#unchanged.splice(at, 1);
    if (chosen === undefined) return undefined;
    const [account, number] = chosen;
    if (random() < 0.5)
      return this.#intent(account, 'client.delete', 'POST', `<Client><ID>${number}</ID></Client>`);
    const body = `<Client><ID>${number}</ID><Name>Changed ${numbered(this.all.length)}</Name></Client>`;
    return this.#intent(account, 'client.update', 'PUT', body);
  }

  #intent(account: PlayedAccount, method: Method, verb: string, body: string): Intent {
    const { random } = this.#parts;
    const nth = this.all.length;
    return {
      ...{ name: `intent ${nth}`, account, method, verb, body },
      key: random() < KEYED ? `key ${nth}` : undefined,
      patience: (PATIENCES[Math.floor(random() * PATIENCES.length)] ?? 60) * SECOND,
      ...{ attempts: [], final: undefined },
    };
  }

  #another({ account, method }: Intent): string {
    const nth = this.all.length;
    return method === 'client.add'
      ? clientBody(`Other ${numbered(nth)}`, '0')
      : timeBody(account, nth, `other ${numbered(nth)}`);
  }

  /**
   * Makes a record at a screen: of the same name, or on the same day for as long, but different in a value that is not
   * compared.
   */
  async #makeByHand(intent: Intent): Promise<void> {
    const { time, service } = this.#parts;
    const { account, method, body } = intent;
    this.#byHand += 1;
    if (method === 'client.add') this.resembled.add(contentOf(intent));
    const xml =
      method === 'client.add'
        ? body.replace(/<Phone>.*<\/Phone>/, '<Phone>by hand</Phone>')
        : body.replace(/<Note>.*<\/Note>/, '<Note>by hand</Note>');
    const target = `/${method.replace('.', '.api/')}`;
    const request = { route: 'v1', organisation: account.organisation, verb: 'POST', target } as const;
    await time.outside(() =>
      service.handle({ ...request, body: Buffer.from(xml), by: `hand ${this.#byHand}` }),
    );
  }

  #later(millis: number, run: () => void): void {
    this.#parts.time.after(millis, run, undefined);
  }
}

/** No number is part of another, which would make the texts alike. */
const numbered = (nth: number): string => String(nth).padStart(6, '0');

const clientBody = (name: string, phone: string): string =>
  `<Client><Name>${name}</Name><Phone>${phone}</Phone></Client>`;

/** Few days and durations, so that records often differ only in the note. */
const timeBody = ({ seeded }: PlayedAccount, nth: number, note: string): string =>
  `<Timesheet><Job>${seeded.job}</Job><Task>${seeded.task.number}</Task><Staff>${seeded.staff.number}</Staff>` +
  `<Date>2026060${1 + (nth % 3)}</Date><Minutes>${30 * (1 + (nth % 4))}</Minutes><Note>${note}</Note></Timesheet>`;
