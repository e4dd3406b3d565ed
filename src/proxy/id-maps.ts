import type { MovedCall, Reply, Service } from './call/call.ts';
import { SECOND, type Clock } from '../lib/time/clock.ts';
import { idMapAddress } from '../mapping/crosswalk/id-map.ts';
import type { Kind } from '../mapping/crosswalk/identifier.ts';
import { CLOSE_RESPONSE, element, writeElement } from '../lib/xml/document.ts';
import { LEGACY_CONTENT_TYPE } from '../mapping/dialect.ts';
import type { KindTable } from '../mapping/compile/model.ts';

interface IdMapParts {
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  readonly clock: Clock;
  /** Seconds for which a link is valid. */
  readonly lifetime: number;
}

/**
 * `uuid.api/maps` after the move: V3 does not have the method, but the bridge has the tables. As on V1, each is behind
 * its own link, which needs no keys; the rows are sent from there.
 */
export class IdMaps implements Service {
  readonly #parts: IdMapParts;

  constructor(parts: IdMapParts) {
    this.#parts = parts;
  }

  async serve({ link, open }: MovedCall): Promise<Reply> {
    const { kinds, clock, lifetime } = this.#parts;
    const now = clock.now();
    const maps = [...kinds.values()].flatMap(({ kind, map }) =>
      map === undefined
        ? []
        : [
            element('Map', [
              element('Type', map),
              element('Date', seconds(now)),
              element('File', link(idMapAddress(kind))),
              element('Expiry', seconds(now + lifetime * SECOND)),
            ]),
          ],
    );
    const body = `${open}${writeElement(element('Maps', maps))}${CLOSE_RESPONSE}`;
    return { status: 200, source: 'bridge', contentType: LEGACY_CONTENT_TYPE, body };
  }
}

/** UTC, without zone. */
const seconds = (moment: number): string => new Date(moment).toISOString().slice(0, 19);
