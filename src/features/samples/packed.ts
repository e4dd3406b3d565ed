import { packedJson, unpackedJson } from '../../lib/text/packed-json.ts';
import type { Sample, SampledElement, SampledValue } from './sample.ts';

/** A sample with the key of its hashes (`Masking.key`). */
export interface KeptSample extends Sample {
  readonly key: string;
}

type PackedValue = string | readonly [hash: string];
type PackedElement = readonly [
  name: string,
  value: PackedValue,
  children: readonly PackedElement[],
  attributes?: readonly (readonly [string, PackedValue])[],
];

/** Packs it into one text of base64, to be sealed. */
export async function packedSample({ reply, body, ...rest }: KeptSample): Promise<string> {
  const packed = {
    ...rest,
    ...(body !== undefined && { body: packedElement(body) }),
    reply: reply === undefined ? null : packedElement(reply),
  };
  return packedJson(packed);
}

/** Restores a sample from a text that `packedSample` made. */
export async function unpackedSample(text: string): Promise<KeptSample> {
  const { reply, body, ...rest } = (await unpackedJson(text)) as Omit<KeptSample, 'reply' | 'body'> & {
    readonly reply: PackedElement | null;
    readonly body?: PackedElement;
  };
  return {
    ...rest,
    ...(body !== undefined && { body: unpackedElement(body) }),
    reply: reply === null ? undefined : unpackedElement(reply),
  };
}

const packedValue = (value: SampledValue): PackedValue => ('text' in value ? value.text : [value.hash]);

const unpackedValue = (value: PackedValue): SampledValue =>
  typeof value === 'string' ? { text: value } : { hash: value[0] };

function packedElement({ name, value, children, attributes }: SampledElement): PackedElement {
  const packed = [name, packedValue(value), children.map(packedElement)] as const;
  if (attributes.length === 0) return packed;
  return [...packed, attributes.map(([key, given]) => [key, packedValue(given)])];
}

const unpackedElement = ([name, value, children, attributes = []]: PackedElement): SampledElement => ({
  name,
  value: unpackedValue(value),
  children: children.map(unpackedElement),
  attributes: attributes.map(([key, given]) => [key, unpackedValue(given)]),
});
