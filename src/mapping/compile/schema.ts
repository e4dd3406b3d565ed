/**
 * The mapping language: the form of the files in `mappings/`, as zod schemas (docs/reference/mappings.md).
 *
 * A mapping is only data and never gets logic; what a row cannot express becomes a named format with its own
 * test. Rules that combine several keys are checked when the mapping is compiled. `mappings/schema.json` is
 * generated from here, so that editors complete and explain the keys. The V2 half is in v2-schema.ts.
 */
import { z } from 'zod';
import { writtenEvidenceKinds } from '../evidence.ts';
import { formatNames } from '../formats.ts';
import { keptAs } from './records.ts';
import { settleSchema } from '../settle/schema.ts';
import { v2NoneSchema, v2RowKeys, v2RowSchema } from './v2/v2-schema.ts';

const elementName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'an element name');
const recordName = z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'a record name');
const kindName = z.string().regex(/^[a-z][A-Za-z]*$/, 'an identifier kind');

/** A row of `records`: an element of a record, by its legacy name. */
export const rowSchema = z
  .strictObject({
    id: kindName
      .optional()
      .meta({ description: 'The value is an identifier of this kind, translated by the crosswalk.' }),
    as: z.enum(formatNames).optional().meta({ description: 'Value format; text when left out.' }),
    unset: z.enum(['empty', 'omit', 'asGiven']).optional().meta({
      description:
        'Reply: an unset text element is empty (default), left out, or as the service gave it; an unset list is as the service gave it (default) or empty (with only: detailed, where the answer is).',
    }),
    one: recordName.optional().meta({ description: 'A nested record.' }),
    list: elementName.optional().meta({ description: 'A container of elements of this name.' }),
    of: recordName.optional().meta({ description: 'The record of each element of the list.' }),
    many: recordName.optional().meta({ description: 'Request: the element repeats without a container.' }),
    attribute: z.literal(true).optional().meta({
      description:
        'Request: an attribute of the record, not an element; on V3 `id` and `…-id` become `uuid` and `…-uuid`.',
    }),
    own: z.literal(true).optional().meta({
      description:
        'Reply: the records of the list belong to this one alone, so with a record that is new they are new.',
    }),
    also: z.array(elementName).optional().meta({ description: 'Further names it is read under.' }),
    v3: elementName
      .optional()
      .meta({ description: 'Its name on V3, where the rule ID to UUID does not give it.' }),
    required: z
      .union([z.literal(true), z.string()])
      .optional()
      .meta({
        description:
          'Request: must be present and not empty (a list: with one record at least); a text replaces the usual error.',
      }),
    snapshot: z.enum(keptAs).optional().meta({
      description:
        'Reply: kept from what V1 tells before the move (CAUSEWAY_SNAPSHOT), and given back where V2 has no place for it; personal: with all only.',
    }),
    gap: z.literal(true).optional().meta({
      description: "Reply, with snapshot: V1's value is used only where V2 gives none.",
    }),
    personal: z.literal(true).optional().meta({
      description: 'Request: says something about a person, so recordings keep a hash of it only.',
    }),
    uuid: z.literal(false).optional().meta({
      description: 'Reply, of an ID: V1 shows no UUID of the record, with uuidMode=transition neither.',
    }),
    unknown: z.string().min(3).optional().meta({
      description:
        'Request: the legacy words for an identifier nobody knows, where they are not those of its kind.',
    }),
    ...v2RowKeys,
  })
  .refine((row) => (row.list === undefined) === (row.of === undefined), 'list and of go together')
  .refine((row) => row.values === undefined || row.as === undefined, 'values are words of their own: no as')
  .refine((row) => row.unknown === undefined || row.id !== undefined, 'unknown goes with id')
  .refine(
    (row) => [row.one, row.list, row.many].filter((shape) => shape !== undefined).length <= 1,
    'one, list and many exclude each other',
  )
  .refine(
    (row) =>
      row.attribute === undefined || [row.one, row.list, row.many].every((shape) => shape === undefined),
    'an attribute holds a value',
  )
  .refine(
    (row) =>
      row.snapshot === undefined ||
      [row.lost === undefined ? row.id : undefined, row.one, row.list, row.many].every(
        (shape) => shape === undefined,
      ),
    'snapshot belongs to a plain value, or to an identifier that V2 does not have',
  )
  .refine((row) => row.gap === undefined || row.snapshot !== undefined, 'gap goes with snapshot')
  .refine((row) => row.own === undefined || row.list !== undefined, 'own belongs to a list');

/** A row as written in the file. */
export type RowSource = z.infer<typeof rowSchema>;

const legacyCall = z
  .string()
  .regex(
    /^(GET|POST|PUT|DELETE)(\|(GET|POST|PUT|DELETE))* [a-z]+\.api(\/([a-z]+|\{[a-z][A-Za-z]*\}))+$/,
    'VERB family.api/method/{kind}',
  );

/** A day: `2026-11-25`. */
const day = z.iso.date().optional();

/** A row of `methods`: a legacy call, its V3 form, and its steps on V2, if any. */
export const methodSchema = z.strictObject({
  summary: z.string().min(3),
  legacy: legacyCall,
  also: z.array(legacyCall).optional().meta({ description: 'Further calls that mean the same.' }),
  query: z.record(z.string(), z.enum(['text', 'flag', 'utcDateTime', 'date', 'integer'])).optional(),
  requires: z
    .array(z.string())
    .optional()
    .meta({ description: 'Query parameters without which the call fails.' }),
  route: z
    .enum(['v3', 'v2'])
    .meta({ description: 'The default; an operator can choose per account and method.' }),
  evidence: z
    .strictObject({ v3: z.enum(writtenEvidenceKinds), v2: z.enum(writtenEvidenceKinds).optional() })
    .optional()
    .meta({
      description:
        'What the calls to V3 and to V2 rest on: the specification, what was observed of the service, or an assumption. The weakest part counts: of a read the path and the reply, of a write the path and what is sent. Left out: assumed.',
    }),
  verified: z.strictObject({ v1: day, v3: day, v2: day }).optional().meta({
    description:
      'The days on which `causeway verify` asked the service and was answered as the row says, by API version; written by the patch of its report.',
  }),
  v3: legacyCall,
  elsewhere: legacyCall.optional().meta({
    description:
      'Where another form of V3 has the method. A read: another path, tried once where the first does not exist. A write: another verb on the same path, tried once where V3 does not take the first.',
  }),
  v2: z.union([v2RowSchema, v2NoneSchema]).optional(),
  pages: z
    .union([z.boolean(), z.literal('numbered')])
    .optional()
    .meta({
      description:
        'V3 answers in pages; the reply is the whole list. `numbered`: V3 takes the number of a page and no size, as the legacy form may; a call that names a page gets that one.',
    }),
  body: z
    .strictObject({
      root: elementName,
      of: recordName,
      anyRoot: z
        .boolean()
        .optional()
        .meta({ description: 'Legacy programs send another root name; take any.' }),
      otherRoot: elementName.optional().meta({
        description:
          'Another form of V3 calls the root so; tried where V3 misses that. Legacy programs may send it, too.',
      }),
      large: z.boolean().optional().meta({ description: 'Carries a file: up to 32 MiB.' }),
    })
    .optional(),
  creates: z
    .boolean()
    .optional()
    .meta({ description: 'The record in the reply is new: it is allotted a number.' }),
  adds: z
    .array(kindName)
    .optional()
    .meta({ description: 'Kinds of records that it may also add, although the reply does not show them.' }),
  reply: z.union([
    z.literal('status'),
    z.strictObject({
      one: elementName,
      of: recordName,
      within: elementName
        .optional()
        .meta({ description: 'A container some forms of V3 put around the record; the reply has none.' }),
      inDetail: z.literal(true).optional().meta({
        description: 'Shown in full: lists of the record are present where the service left them out.',
      }),
    }),
    z.strictObject({
      list: elementName,
      element: elementName,
      of: recordName,
      total: elementName.optional().meta({
        description: 'An element beside the list that counts all records, in the legacy form too.',
      }),
    }),
    z.strictObject({
      id: kindName.meta({
        description:
          'An identifier of this kind beside Status; `number`: a number that is text on every surface.',
      }),
    }),
  ]),
  settle: settleSchema.optional().meta({
    description: 'Of a method that creates, changes or deletes: how an unknown outcome is looked up.',
  }),
  source: z.string().optional(),
  assumed: z.array(z.string()).optional().meta({ description: 'What the specification does not say.' }),
});

/** A method as written in the file. */
export type MethodSource = z.infer<typeof methodSchema>;

/** A method that the bridge answers itself once the account has moved. */
export const localSchema = z.strictObject({
  summary: z.string().min(3),
  legacy: legacyCall,
  route: z.literal('local'),
  from: z.enum(['idMaps']).meta({ description: "What answers: the account's table of numbers and UUIDs." }),
  source: z.string().optional(),
  assumed: z.array(z.string()).optional(),
});

/** A method without an upstream call, as written in the file. */
export type LocalSource = z.infer<typeof localSchema>;

/** A mapping file: one family of methods (`client.api`) with the records they carry. */
export const familySchema = z.strictObject({
  family: z.string().regex(/^[a-z]+\.api$/),
  source: z.string().min(3),
  assumed: z.array(z.string()).optional(),
  methods: z.record(
    z.string().regex(/^[a-z]+(\.[a-z]+)+$/, 'family.method'),
    z.discriminatedUnion('route', [methodSchema, localSchema]),
  ),
  records: z.record(recordName, z.record(elementName, rowSchema)),
  parts: z.record(recordName, kindName).optional().meta({
    description:
      'Records without an identifier V2 knows, and the part of identifiers.yaml as which they are kept before the move.',
  }),
});

/** A family as written in its file. */
export type FamilySource = z.infer<typeof familySchema>;

const rename = z.strictObject({ v3: elementName, kind: kindName });

/** `identifiers.yaml`: the kinds of identifiers, and the rule for methods without a row of their own. */
export const identifiersSchema = z.strictObject({
  source: z.string(),
  assumed: z.array(z.string()).optional(),
  kinds: z.record(
    kindName,
    z.strictObject({
      error: z.string().meta({ description: 'The legacy words for an identifier nobody knows.' }),
      map: z.string().optional().meta({ description: 'Type of the id map V1 exports.' }),
      list: z
        .strictObject({
          call: z.string(),
          query: z.record(z.string(), z.string()).optional(),
          at: z.string().meta({ description: 'Way to the record below Response.' }),
          number: elementName.optional().meta({
            description:
              'The element that holds the number, where it is not ID; a record without it has no number.',
          }),
        })
        .optional(),
    }),
  ),
  parts: z
    .record(
      kindName,
      z.strictObject({
        of: kindName.meta({ description: 'The kind of the record that has them.' }),
        by: z.array(elementName).min(1).meta({ description: 'The elements by which they are found again.' }),
        query: z.record(z.string(), z.string()).optional().meta({
          description: 'What the list of the records needs beyond its own query to show them.',
        }),
        at: z.string().meta({ description: 'Way to a part below its record, or below Response with each.' }),
        each: z
          .string()
          .regex(/^[a-z]+\.api\/[a-z]+$/, 'family.api/method')
          .optional()
          .meta({ description: 'A call for each record, by its ID; without it the list shows them.' }),
      }),
    )
    .optional()
    .meta({
      description:
        'Parts of a record without an identifier that V2 knows, kept before the move (CAUSEWAY_SNAPSHOT).',
    }),
  generic: z.strictObject({
    records: z.record(elementName, kindName),
    families: z.record(z.string(), z.record(elementName, kindName)),
    names: z.record(elementName, rename),
    inside: z.record(elementName, z.record(elementName, rename)),
    attributes: z.record(z.string(), z.record(elementName, rename)),
    paths: z.record(z.string(), kindName),
    requires: z.record(z.string().regex(/^[a-z]+\.api\/[a-z]+$/, 'family.api/method'), z.array(z.string())),
    verbs: z.record(z.string(), z.record(z.string(), z.enum(['POST', 'PUT']))),
    creates: z.record(z.enum(['POST', 'PUT']), z.array(z.string())),
  }),
});

/** `identifiers.yaml` as written in the file. */
export type IdentifiersSource = z.infer<typeof identifiersSchema>;
