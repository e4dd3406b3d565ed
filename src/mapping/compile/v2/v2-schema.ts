/**
 * The V2 half of the mapping language: which JSON calls serve a legacy call, and where each value is in them.
 *
 * Rows of records get the keys `v2RowKeys`. A method gets `v2RowSchema` (its steps and its reply), or the reason why V2
 * cannot serve it. `v2-file-schema.ts` has what all methods share. Editors show the descriptions (docs/reference/mappings.md).
 */
import { z } from 'zod';
import { formatNames } from '../../formats.ts';
import { parsePath } from '../path.ts';
import { parseTemplate } from '../generic/template.ts';
import { toV3Schema } from './to-v3.ts';

/** Path to a value in V2's JSON. */
export const path = z
  .string()
  .refine((text) => parsePath(text) !== undefined, 'a path such as contactDetails.email')
  .meta({
    description:
      'Way to a value in the JSON: key.key, list[0], list[key=value], list[*key=value], list[].key, key@table.key, or .',
  });

const template = z
  .string()
  .refine(
    (text) => parseTemplate(text) !== undefined,
    'a text with places such as {client} or {query.from|date}',
  );

/** Name of a step, table or default. */
export const name = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'a name in lower case');

/** Keys of a row that concern V2. */
export const v2RowKeys = {
  v2: z
    .union([path, z.array(path).min(2), z.strictObject({ all: z.array(path).min(2) })])
    .optional()
    .meta({
      description:
        'Where V2 has the value; of several paths the first that holds a value. all: a format of several values.',
    }),
  via: z
    .string()
    .regex(/^[a-z][A-Za-z]*\.[A-Za-z]+$/, 'table.field')
    .optional()
    .meta({
      description: 'Request: V2 wants the identifier of the entry whose field has this text, in any case.',
    }),
  values: z.record(z.string(), z.string()).optional().meta({
    description:
      "V2's word for each legacy word, in any case; a word that is not here is carried over as it is.",
  }),
  if: z
    .record(path, z.union([z.string(), z.array(z.string()).min(2)]))
    .optional()
    .meta({
      description:
        'Only where V2 has these values, or one of each list. Request: of the rows of which this holds exactly one must be given, and none of the others.',
    }),
  misfit: z.string().min(3).optional().meta({
    description:
      'Request: the legacy words when another row of those with if is given; {path} stands for a value.',
  }),
  needed: z
    .union([z.literal(true), z.array(z.string()).min(1)])
    .optional()
    .meta({
      description:
        'Request: V2 must get a value at this place, from whichever row, or else all of the elements listed. V3 says so itself.',
    }),
  absent: z.string().optional().meta({ description: 'Reply: what stands where V2 has no value.' }),
  only: z.enum(['detailed', 'transition']).optional().meta({
    description:
      'Reply: in lists only when the caller asked for details; or only with uuidMode=transition, after the other elements.',
  }),
  filled: z.literal(true).optional().meta({
    description:
      'Request: where it is present it must not be empty. V3 says so itself. Reply, with several paths: the first text of V2 that is not empty.',
  }),
  empty: z
    .union([z.literal('omit'), z.literal(''), z.literal(false), z.literal(0)])
    .optional()
    .meta({
      description:
        'Request: what V2 gets for an empty element, instead of nothing in a new record and null in a change. omit: nothing.',
    }),
  lost: z.string().min(3).optional().meta({ description: 'Why it has no place in V2, for the loss report.' }),
  anyway: z.string().optional().meta({
    description: 'Request, with lost: the value that V2 has anyway; where it is sent nothing is lost.',
  }),
};

/** A filter that V1 has and V2 lacks: the bridge applies it to the rows of the answer. */
export const whereSchema = z
  .strictObject({
    of: path.optional().meta({
      description:
        'The condition is on the entries of this list of the row: the others are left out, and a row without any left too.',
    }),
    path: z.union([path, z.strictObject({ all: z.array(path).min(2) })]),
    as: z
      .enum(formatNames)
      .optional()
      .meta({ description: 'The legacy text of the value is what counts; V2’s own when left out.' }),
    is: z
      .union([template, z.array(template)])
      .optional()
      .meta({ description: 'One of these, in any case.' }),
    not: z.union([template, z.array(template)]).optional(),
    from: template.optional().meta({ description: 'Day or moment, inclusive.' }),
    to: template.optional().meta({ description: 'Day, inclusive.' }),
    contains: template.optional().meta({ description: 'Text anywhere in the value, in any case.' }),
  })
  .meta({ description: 'A row of the answer goes on only when this holds: V2 has no such filter.' });

/** Such a filter as written in the file. */
export type WhereSource = z.infer<typeof whereSchema>;

const json: z.ZodType = z.union([
  template,
  z.number(),
  z.boolean(),
  z.null(),
  z.array(template).min(2).meta({ description: 'The first of them that holds something.' }),
]);

const entryValues = z.record(z.string(), z.union([template, z.number()]));

const onlyStepKeys = {
  name: name.optional().meta({ description: 'Later steps and the reply refer to its answer by this name.' }),
  call: z
    .string()
    .regex(/^(GET|POST|PUT|DELETE) \/v2\/[^ ]+$/, 'VERB /v2/path')
    .refine((text) => parseTemplate(text) !== undefined, 'a path with places such as {client}')
    .optional(),
  among: template.optional().meta({
    description: 'Instead of a call: find looks in this list of an earlier answer.',
  }),
  query: z
    .record(z.string(), template)
    .optional()
    .meta({ description: 'Left out where the value is empty.' }),
  detailed: z
    .record(z.string(), template)
    .optional()
    .meta({ description: 'Parameters that take the place of those when the caller asked for details.' }),
  passes: z
    .array(z.record(z.string(), template))
    .min(2)
    .optional()
    .meta({ description: 'The list is walked once for each, with these parameters too.' }),
  pages: z.boolean().optional().meta({ description: 'The answer comes in pages; all of them are walked.' }),
  find: z
    .record(path, template)
    .optional()
    .meta({ description: 'The answer is the first row of the list with these values.' }),
  within: path.optional().meta({ description: 'find: the list is this one in the record of the answer.' }),
  body: z
    .strictObject({
      of: z.string().optional().meta({
        description:
          'The record whose rows say where values go; the request’s own when left out. none: nothing of the request.',
      }),
      at: path.optional().meta({ description: 'The part of the request that is sent.' }),
      set: z.record(path, json).optional().meta({
        description: 'Sent whatever the request says; list[].key: in each entry of the list.',
      }),
      defaults: z.record(path, json).optional().meta({ description: 'Sent where the request says nothing.' }),
      keep: z.record(path, template).optional().meta({
        description:
          'A list that V2 replaces as a whole: where the request says something of it, this is what it held before.',
      }),
      lists: z
        .record(
          path,
          z.strictObject({
            of: template,
            take: z.array(z.string()).min(1),
            with: entryValues.optional(),
            without: entryValues.optional(),
          }),
        )
        .optional()
        .meta({
          description:
            'A list that V2 replaces as a whole: what it held, of each entry these keys, with one entry more (unless its first key is there already) or without one, or without those of a list.',
        }),
      form: z.enum(['json', 'multipart']).optional().meta({ description: 'multipart: a file is uploaded.' }),
      empty: z.enum(['null', 'omit', 'text']).optional().meta({
        description: 'What an empty element becomes: null on PUT, left out on POST when not said here.',
      }),
    })
    .optional(),
  when: z
    .union([template, z.strictObject({ value: template, is: template })])
    .optional()
    .meta({ description: 'Left out where this is empty, or is not this (in any case).' }),
  each: template.optional().meta({ description: 'Once for each entry of this list; the entry is {item}.' }),
  mayMiss: z
    .literal(true)
    .optional()
    .meta({ description: 'That nothing is found is no failure: there was nothing to be done.' }),
  missing: z.string().optional().meta({
    description: 'Legacy words when nothing is found; those of the last identifier’s kind when left out.',
  }),
  says: z.string().optional().meta({
    description: 'What has been done once this step is through, for the report when a later one fails.',
  }),
};

/** A step of a method on V2. */
export const stepSchema = z.strictObject({
  ...onlyStepKeys,
  before: z.strictObject(onlyStepKeys).optional().meta({
    description: 'A question that is asked each time before; the step refers to its answer by its name.',
  }),
});

/** A step as written in the file. */
export type StepSource = z.infer<typeof stepSchema>;

/**
 * How well V2 supports a method, A being the best; the console has a description of each
 * (`http/console/routes/routes.ts`).
 */
export const grades = ['A', 'B', 'C'] as const;

/** The key `v2` of a method that V2 can serve. */
export const v2RowSchema = z.strictObject({
  grade: z.enum(grades),
  requires: z
    .array(z.string())
    .optional()
    .meta({ description: 'Query parameters without which the call is refused; V3 says so itself.' }),
  loss: z
    .array(z.string().min(3))
    .optional()
    .meta({ description: 'What is lost beyond the rows without v2.' }),
  toV3: z.array(toV3Schema).min(1).optional(),
  lookups: z
    .array(name)
    .optional()
    .meta({ description: 'Tables that cost a call for each record and may be used here.' }),
  single: name.optional().meta({
    description:
      'Look-up table of the record by itself: it names what the list holds the identifiers of and V2 lists no more.',
  }),
  steps: z.array(stepSchema).min(1),
  reply: z
    .strictObject({
      from: name
        .optional()
        .meta({ description: 'The step that holds the reply; the last one when left out.' }),
      at: path.optional(),
      page: z.strictObject({ number: template, size: z.int().positive() }).optional().meta({
        description:
          'Of a list: this page of V1, so many records long, is cut out of the whole; all of it where number is empty.',
      }),
      where: z.array(whereSchema).optional(),
    })
    .optional(),
  assumed: z.array(z.string()).optional(),
});

/** The same, as written in the file. */
export type V2RowSource = z.infer<typeof v2RowSchema>;

/** V2 cannot serve the method, and why. */
export const v2NoneSchema = z.strictObject({ none: z.string().min(3) });
