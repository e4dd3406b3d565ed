import { z } from 'zod';
import { name, path } from './v2-schema.ts';

const called = z.record(z.string(), z.string()).optional().meta({
  description: 'Other names that V2 may have for kept fields in these answers: { firstName: givenName }.',
});

const lookupSchema = z.union([
  z
    .strictObject({
      list: z.string().regex(/^\/v2\/[^ {}]+$/, '/v2/path'),
      query: z.record(z.string(), z.string()).optional(),
      passes: z.array(z.record(z.string(), z.string())).min(2).optional(),
      at: path.optional().meta({ description: 'The entries are a list within each record.' }),
      key: z.string().optional().meta({ description: 'uuid when left out.' }),
      keep: z.array(z.string()).min(1).meta({ description: 'The fields that are kept in memory.' }),
      called,
      unknown: z
        .string()
        .optional()
        .meta({ description: 'Legacy words when a request names what is not there.' }),
      stays: z.literal(true).optional().meta({
        description:
          'What names a record that is gone from the list goes on naming it: by its name where single tells it, otherwise by its identifier.',
      }),
      families: z
        .array(z.string().regex(/^[a-z]+\.api$/, 'family.api'))
        .min(1)
        .optional()
        .meta({
          description: 'Families of V1 whose writes change the list, on whichever lane: it is dropped then.',
        }),
    })
    .meta({
      description: 'A list that is fetched once, kept for a while and shared by all calls of an account.',
    }),
  z
    .strictObject({
      record: z.string().regex(/^\/v2\/[^ ]*\{key\}[^ ]*$/, '/v2/path/{key}'),
      query: z.record(z.string(), z.string()).optional(),
      keep: z.array(z.string()).min(1).optional(),
      called,
      most: z.int().positive().optional().meta({
        description:
          'Records that one reply may ask for; where it needs more, none is asked for. Default 30.',
      }),
      stays: z.literal(true).optional().meta({
        description: 'Of a record that V2 does not find any more there is its identifier.',
      }),
      names: z
        .record(name, z.union([path, z.array(path).min(2)]))
        .optional()
        .meta({ description: 'single: by list, where the record names entries of it.' }),
    })
    .meta({ description: 'One call for each record; only where a method allows it.' }),
  z
    .strictObject({
      kept: z.string().regex(/^[a-z][A-Za-z]*$/, 'an identifier kind'),
      made: path.optional().meta({
        description:
          'Where V2 says when a part was made: what is newer than the last reading of V1 has nothing kept.',
      }),
    })
    .meta({
      description:
        'What V1 told of the records of this kind, or of these parts, before the move (CAUSEWAY_SNAPSHOT).',
    }),
  z
    .strictObject({ within: path, key: z.string().optional() })
    .meta({ description: 'A list within the record itself.' }),
]);

/** A look-up table as written in the file. */
export type LookupSource = z.infer<typeof lookupSchema>;

/** `v2.yaml`: what all methods on V2 share. */
export const v2FileSchema = z.strictObject({
  source: z.string().min(3),
  assumed: z.array(z.string()).optional(),
  keepSeconds: z.int().positive().meta({ description: 'How long a look-up list is kept.' }),
  defaults: z.record(name, z.union([z.string(), z.number(), z.boolean()])),
  lookups: z.record(name, lookupSchema),
});

/** `v2.yaml` as written in the file. */
export type V2FileSource = z.infer<typeof v2FileSchema>;
