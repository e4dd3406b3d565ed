/**
 * A list in sealed form: records in compressed pieces of a few hundred, and a head that says when and how the list was
 * read. Unchanged pieces keep their rows.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import type { ListedRecord } from './records.ts';
import { pieceId, type SealedReplica } from '../../../features/replicas/stored-replicas.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

/** Records per piece. */
const PIECE = 200;

/** The facts about a list besides its records. */
export interface ReplicaHead {
  /** Changes are requested from this time on, in milliseconds of the service's clock. */
  readonly since: number;
  /** When it was read whole, by the bridge's clock. */
  readonly wholeAt: number;
  /** The count, before the whole reading, of writes that require one. */
  readonly writes: number;
  /** Orders that the list may have. */
  readonly orders: readonly string[];
  /** Digests of the pieces before they were sealed. */
  readonly digests: readonly string[];
}

/** An opened replica. */
export interface OpenReplica {
  readonly version: number;
  readonly head: ReplicaHead;
  readonly records: readonly ListedRecord[];
}

/** Throws `SealBroken`. */
export async function openReplica(seal: Seal, id: string, sealed: SealedReplica): Promise<OpenReplica> {
  const head = JSON.parse(seal.open(sealed.head, id, sealedAs.replicaHead).reveal()) as ReplicaHead;
  const records: ListedRecord[] = [];
  for (const [place, piece] of sealed.pieces.entries()) {
    const packed = seal.open(piece, pieceId(id, place), sealedAs.replicaRecords).reveal();
    const text = (await decompress(Buffer.from(packed, 'base64'))).toString('utf8');
    for (const [key = '', name = '', xml = ''] of JSON.parse(text) as readonly (readonly string[])[])
      records.push({ id: key, name, xml });
  }
  return { version: sealed.version, head, records };
}

/** The rows to store for a list; `before`: the digests of its present pieces. */
export async function sealReplica(
  seal: Seal,
  id: string,
  head: Omit<ReplicaHead, 'digests'>,
  records: readonly ListedRecord[],
  before: readonly string[] = [],
): Promise<{ readonly head: string; readonly pieces: ReadonlyMap<number, string>; readonly count: number }> {
  const digests: string[] = [];
  const pieces = new Map<number, string>();
  for (let at = 0; at < records.length; at += PIECE) {
    const place = digests.length;
    const text = JSON.stringify(
      records.slice(at, at + PIECE).map(({ id: key, name, xml }) => [key, name, xml]),
    );
    const digest = createHash('sha256').update(text).digest('base64url');
    digests.push(digest);
    if (before[place] === digest) continue;
    const packed = (await compress(text, QUICK)).toString('base64');
    pieces.set(place, seal.seal(new Secret(packed), pieceId(id, place), sealedAs.replicaRecords));
  }
  const whole: ReplicaHead = { ...head, digests };
  const sealedHead = seal.seal(new Secret(JSON.stringify(whole)), id, sealedAs.replicaHead);
  return { head: sealedHead, pieces, count: digests.length };
}
