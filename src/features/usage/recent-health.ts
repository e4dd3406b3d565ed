import type { FailureCode, Source } from '../../lib/failure.ts';
import type { CallRecord } from './call-log.ts';
import type { CallCounter, RecentCall } from './recent-calls.ts';
import { MINUTE } from '../../lib/time/clock.ts';

/** The recent calls of this process that one source answered. */
export interface SourceHealth {
  readonly source: Source;
  readonly calls: number;
  readonly failed: number;
  /** The service's average time, in milliseconds; undefined if it was not asked. */
  readonly upstreamMillis: number | undefined;
  readonly lastAnswerAt: number | undefined;
  readonly lastFailureAt: number | undefined;
}

/** The period it covers, in minutes. */
export const RECENT_MINUTES = 15;

interface Beat {
  calls: number;
  failed: number;
  upstreamCalls: number;
  upstreamMillis: number;
}

interface Track {
  /** By minute since the epoch. */
  readonly beats: Map<number, Beat>;
  lastAnswerAt: number | undefined;
  lastFailureAt: number | undefined;
}

/** How the service has answered this process's calls in the last minutes, except the last second. In memory only. */
export class RecentHealth implements CallCounter {
  readonly readsMessages = false;
  readonly #tracks = new Map<Source, Track>();

  count(calls: readonly RecentCall[]): void {
    for (const { call } of calls) this.#count(call);
  }

  #count({ at, upstreamMillis, ...call }: RecentCall['call']): void {
    const source = whose(call);
    // A service that refuses a call is healthy, and so is one that receives a call that no service could answer.
    const failed = call.failed && !isRefusal(call) && call.isOfCall !== true;
    const track = this.#tracks.get(source) ?? this.#newTrack(source);
    if (failed) track.lastFailureAt = at;
    else track.lastAnswerAt = at;
    const minute = Math.floor(at / MINUTE);
    const beat = track.beats.get(minute) ?? { calls: 0, failed: 0, upstreamCalls: 0, upstreamMillis: 0 };
    beat.calls += 1;
    if (failed) beat.failed += 1;
    if (upstreamMillis !== undefined) {
      beat.upstreamCalls += 1;
      beat.upstreamMillis += upstreamMillis;
    }
    track.beats.set(minute, beat);
    if (track.beats.size > RECENT_MINUTES + 1) forget(track, minute);
  }

  read(now: number): readonly SourceHealth[] {
    const minute = Math.floor(now / MINUTE);
    return Array.from(this.#tracks, ([source, track]) => {
      forget(track, minute);
      const beats = [...track.beats.values()];
      const sum = (of: (beat: Beat) => number): number => beats.reduce((total, beat) => total + of(beat), 0);
      const asked = sum(({ upstreamCalls }) => upstreamCalls);
      return {
        source,
        calls: sum(({ calls }) => calls),
        failed: sum(({ failed }) => failed),
        upstreamMillis: asked === 0 ? undefined : sum(({ upstreamMillis }) => upstreamMillis) / asked,
        lastAnswerAt: track.lastAnswerAt,
        lastFailureAt: track.lastFailureAt,
      };
    }).sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  #newTrack(source: Source): Track {
    const track: Track = { beats: new Map(), lastAnswerAt: undefined, lastFailureAt: undefined };
    this.#tracks.set(source, track);
    return track;
  }
}

const isRefusal = ({ failure }: Pick<CallRecord, 'failure'>): boolean =>
  failure === 'refused' || failure === 'unreadableRange';

/**
 * The source whose health a call reflects: the bridge answers in place of a service that does not, or whose answer
 * cannot be used.
 */
const whose = ({ source, route, failure }: Pick<CallRecord, 'source' | 'route' | 'failure'>): Source =>
  route !== undefined && failure !== undefined && SERVICE_FAULTS.has(failure) ? route : source;

const SERVICE_FAULTS: ReadonlySet<FailureCode> = new Set([
  ...(['upstreamAnswer', 'upstreamUnavailable', 'upstreamTimeout', 'outcomeUnknown'] as const),
]);

/** Also deletes minutes in the future, which a clock that was set back leaves behind. */
function forget({ beats }: Track, minute: number): void {
  for (const one of beats.keys()) if (one <= minute - RECENT_MINUTES || one > minute) beats.delete(one);
}
