import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';

/** Texts of a name. An empty list: the name exists without any (NODATA); a name that is missing does not exist. */
export type Zone = Readonly<Record<string, readonly string[]>>;

const NXDOMAIN = 3;
/** RFC 1035, 4.1.1: answer, recursion desired and available. */
const FLAGS = 0x8180;
const TXT = 16;

/** A name server on loopback that knows the texts of a zone; RFC 1035. */
export class NameServer implements Disposable {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Without a zone it hears everything and answers nothing. */
  static async start(zone?: Zone): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      if (zone !== undefined) socket.send(answer(query, zone), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  /** One that asks this server and nobody else. */
  get resolver(): Resolver {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`]);
    return resolver;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

function answer(query: Buffer, zone: Zone): Buffer {
  const { name, end } = questionOf(query);
  const texts = zone[name];
  const records = (texts ?? []).map(record);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(FLAGS | (texts === undefined ? NXDOMAIN : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** The name is a pointer to the question's; a text is cut into pieces of at most 255 bytes. */
function record(text: string): Buffer {
  const pieces = (text.match(/.{1,255}/g) ?? ['']).map((piece) =>
    Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece, 'latin1')]),
  );
  const data = Buffer.concat(pieces);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
