/**
 * The network between the instances of the refresh simulation and the authorisation server: each presentation meets a
 * fate drawn from the weather of the episode.
 *
 * A presentation may never arrive, be carried out and lose its answer, come back as an error or as something other than
 * JSON, or be carried out long after its sender has given up. The answer to the sender is independent of the server's
 * action, as with a real network.
 */
import type { Secret } from '../../../src/lib/secret/secret.ts';
import type { Authority, RefreshVerdict } from '../../../src/upstream/model.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { partsOf, type AuthorisationServer } from './authorisation-server.ts';
import type { Instance } from './instance.ts';
import type { Judge } from './judge.ts';
import type { Weather } from './options.ts';

/** The ends of the network; `wholeTimeout` is the longest time a sender waits, in milliseconds. */
export interface NetworkParts {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly server: AuthorisationServer;
  readonly judge: Judge;
  readonly weather: () => Weather;
  readonly wholeTimeout: number;
}

/** The fate of a presentation: whether and when it is carried out, and what its sender receives, and when. */
interface Fate {
  readonly handled: 'never' | 'at once' | { readonly in: number };
  readonly heard: 'the answer' | 'nothing' | { readonly cause: string; readonly everybody?: boolean };
  /** Milliseconds until the sender receives it. */
  readonly after: number;
}

const SECOND = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Shares of the faulty presentations, the same as in scripts/chaos/refresh.ts. */
const faults: readonly { readonly share: number; readonly fate: Omit<Fate, 'after'> }[] = [
  { share: 4, fate: { handled: 'never', heard: { cause: 'ECONNRESET' } } },
  { share: 4, fate: { handled: 'at once', heard: { cause: 'ECONNRESET' } } },
  { share: 4, fate: { handled: 'at once', heard: { cause: 'cut' } } },
  { share: 4, fate: { handled: 'never', heard: { cause: 'http 500' } } },
  { share: 4, fate: { handled: 'at once', heard: { cause: 'http 502' } } },
  { share: 2, fate: { handled: 'at once', heard: { cause: 'no json' } } },
  { share: 2, fate: { handled: 'never', heard: { cause: 'http 429', everybody: true } } },
];
const allFaults = faults.reduce((sum, { share }) => sum + share, 0);

/** The route to the authorisation server and back, with all its possible faults. */
export class Network {
  readonly #parts: NetworkParts;
  #struck = 0;
  #late = 0;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** The number of presentations with a fault, and of the late ones among them. */
  get counts(): { readonly struck: number; readonly late: number } {
    return { struck: this.#struck, late: this.#late };
  }

  authorityFor(instance: Instance): Authority {
    const notAsked = (): never => {
      throw new Error('only refreshes are simulated');
    };
    return {
      authorizeUrl: notAsked,
      exchange: notAsked,
      connections: notAsked,
      refresh: (token, within = this.#parts.wholeTimeout) => this.#present(instance, token, within),
    };
  }

  #present(instance: Instance, token: Secret, within: number): Promise<RefreshVerdict> {
    const { time, server, judge } = this.#parts;
    return new Promise((resolve) => {
      if (!instance.survives()) return;
      const [id, n] = partsOf(token);
      const family = server.family(id);
      const label = judge.presents(instance, family, n);
      let isOver = false;
      const hear = (verdict: RefreshVerdict): void => {
        if (isOver) return;
        isOver = true;
        judge.heard(family, label);
        server.note(family, `${instance.name} hears of ${label}: ${wordsOf(verdict)}`);
        if (instance.survives()) resolve(verdict);
      };
      time.after(
        within,
        () => {
          hear({ verdict: 'unanswered', cause: 'timeout' });
        },
        instance,
      );
      const travel = 5 + this.#parts.random() * 60;
      time.after(
        travel,
        () => {
          this.#arrive(instance, token, `RT${n} (${label})`, hear);
        },
        undefined,
      );
    });
  }

  #arrive(instance: Instance, token: Secret, label: string, hear: (verdict: RefreshVerdict) => void): void {
    const { time, server, random } = this.#parts;
    const { handled, heard, after } = this.#fate();
    let answer: RefreshVerdict | undefined;
    if (handled === 'at once') answer = server.handle(token, label);
    else if (handled !== 'never')
      time.after(handled.in, () => server.handle(token, `${label} late`), undefined);
    if (heard === 'nothing') return;
    const verdict: RefreshVerdict | undefined =
      heard === 'the answer' ? answer : { verdict: 'unanswered', ...heard };
    if (verdict === undefined) return;
    time.after(
      after + 3 + random() * 20,
      () => {
        hear(verdict);
      },
      instance,
    );
  }

  #fate(): Fate {
    const { random } = this.#parts;
    const { late, lateBy, slow, faulty, silent } = this.#parts.weather();
    let randomSource = random();
    if (this.#isSilent() && randomSource < silent.share) {
      this.#struck += 1;
      return {
        handled: randomSource < silent.share / 2 ? 'at once' : 'never',
        heard: 'nothing',
        after: NEVER,
      };
    }
    randomSource = random();
    if ((randomSource -= late) < 0) {
      this.#struck += 1;
      this.#late += 1;
      const by = lateBy[Math.floor(random() * lateBy.length)] ?? 0;
      return { handled: { in: by }, heard: { cause: 'ECONNRESET' }, after: 0 };
    }
    if ((randomSource -= slow) < 0)
      return { handled: 'at once', heard: 'the answer', after: (20 + random() * 160) * SECOND };
    if ((randomSource -= faulty) >= 0) return { handled: 'at once', heard: 'the answer', after: 0 };
    this.#struck += 1;
    return { ...this.#fault(), after: 0 };
  }

  #fault(): Omit<Fate, 'after'> {
    let randomSource = this.#parts.random() * allFaults;
    const fault = faults.find(({ share }) => (randomSource -= share) < 0) ?? faults[0];
    if (fault === undefined) throw new Error('there is no fault');
    return fault.fate;
  }

  #isSilent(): boolean {
    const { share, every, lasts } = this.#parts.weather().silent;
    if (share === 0) return false;
    const phase = this.#parts.time.elapsed() % every;
    return phase >= lasts && phase < 2 * lasts;
  }
}

const wordsOf = (verdict: RefreshVerdict): string => {
  switch (verdict.verdict) {
    case 'renewed':
      return `RT${partsOf(verdict.answer.refreshToken)[1]}`;
    case 'refused':
      return `refused, ${verdict.description}`;
    case 'unanswered':
      return `no answer, ${verdict.cause}`;
  }
};
