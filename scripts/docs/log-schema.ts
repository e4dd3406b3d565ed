import type { Generator } from './generator.ts';
import { sourceTexts } from './troubleshoot/source-texts.ts';

/** The line of a call; its optional fields depend on how the call ended. */
const call = {
  required: ['request', 'verb', 'status', 'source', 'ms'],
  properties: {
    request: { type: 'string', description: 'X-Request-Id of the reply' },
    account: { type: 'string', description: 'id of the account; never a key' },
    verb: { type: 'string' },
    method: { type: 'string', description: 'such as client.list' },
    status: { type: 'integer' },
    source: { type: 'string', description: 'X-Causeway-Source of the reply' },
    trace: { type: 'string', description: 'id of its trace, if it is traced' },
    failure: { type: 'string', description: 'a code of docs/troubleshoot/calls.md' },
    ms: { type: 'number' },
    upstreamMs: {
      type: 'number',
      description: 'of it, waiting for the service: at least one request was open',
    },
    waitedMs: {
      type: 'number',
      description: 'of it, waiting for the rate limit while no request was open; absent: it did not wait',
    },
  },
};

/** An event has the levels with which the source writes it. */
const levelsOf = ([event, levels]: readonly [string, ReadonlySet<string>]): object => ({
  if: { properties: { event: { const: event } } },
  then: { properties: { level: { enum: [...levels].toSorted() } } },
});

function schema(): object {
  const events = [...sourceTexts().events].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of the log',
    type: 'object',
    required: ['level', 'time', 'event'],
    properties: {
      level: { enum: ['info', 'warn', 'error'] },
      time: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
      event: { enum: events.map(([event]) => event) },
    },
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    allOf: [{ if: { properties: { event: { const: 'call' } } }, then: call }, ...events.map(levelsOf)],
  };
}

/** For operators who ship the log elsewhere. */
export const logSchema: Generator = {
  path: 'docs/reference/log.schema.json',
  write: () => `${JSON.stringify(schema(), null, 2)}\n`,
};
