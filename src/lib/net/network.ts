import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** `10.0.0.0/8`, `2001:db8::/32`. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** Reads one network, or one address as a network of its own; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', , bits] = /^([0-9a-f:.]+)(\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0) return undefined;
  const most = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  return prefix > most ? undefined : { address, prefix };
}

/** The plain form of an address: without a zone, and IPv4 as itself if it came inside IPv6. */
export function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1];
  return mapped !== undefined && isIPv4(mapped) ? mapped : bare;
}

/** The host of a URL as sockets and tools take it: IPv6 without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Whether an address is in one of several networks. */
export class Networks {
  readonly #list = new BlockList();

  constructor(networks: readonly Network[]) {
    for (const { address, prefix } of networks)
      this.#list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** `address`: in its plain form. */
  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}
