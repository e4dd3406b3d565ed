import { z } from 'zod';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { orNull } from '../shapes.ts';

const tryMapping = endpoint({
  id: 'tryMapping',
  verb: 'POST',
  path: '/mappings/{method}/try',
  area: 'Mappings',
  summary:
    'Shows how the mapping of a method translates a sample; nothing is stored and no service is called',
  scope: 'read',
  longest: 1024 * 1024,
  body: {
    name: 'MappingSample',
    schema: z.strictObject({
      json: z
        .string()
        .optional()
        .describe('V2\'s answer as JSON text, or several by call: {"GET /v2/clients": …}'),
      xml: z.string().optional().describe('The request of a legacy program'),
      query: z
        .array(z.tuple([z.string(), z.string()]))
        .max(50)
        .optional()
        .describe('Parameters of the legacy call'),
    }),
  },
  reply: {
    name: 'MappingTrial',
    schema: z.strictObject({
      requests: z.array(z.strictObject({ call: z.string(), body: z.string().nullable() })),
      reply: z.string().nullable(),
      failure: z.string().nullable(),
      dropped: z.array(z.string()).describe('Elements of the request that have no place in V2'),
      rounded: z.array(z.string()).describe("Elements of the reply whose text says less than V2's value"),
    }),
  },
  async handle({ admin, path, body }) {
    const trial = await admin.routes.try(path.method ?? '', body);
    return {
      requests: trial.requests.map(({ call, body: sent }) => ({ call, body: orNull(sent) })),
      reply: orNull(trial.reply),
      failure: orNull(trial.failure),
      dropped: [...trial.dropped],
      rounded: [...trial.rounded],
    };
  },
});

export const mappingOperations: readonly Endpoint[] = [tryMapping];
