import { z } from 'zod';

/**
 * The row `settle` of a method that creates, changes or deletes: how an unknown outcome is looked up, by
 * reads in the legacy form along the account's own route.
 */

const element = z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'an element name');
const elementPath = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]*(\/[A-Za-z][A-Za-z0-9-]*)?$/, 'an element, or one inside another');

const read = z
  .string()
  .regex(
    /^GET [a-z]+\.api(\/([a-z]+|\{(body\.[A-Za-z/]+|path\.[A-Za-z]+|made)\}))+$/,
    'GET family.api/method/{body.Element}, {path.kind} or {made}',
  );

const elements = (description: string) => z.array(element).optional().meta({ description });

const found = {
  query: z
    .record(
      z.string(),
      z
        .string()
        .regex(/^([^{}]+|\{(since|sinceDay|from|to|day\.[A-Za-z]+)\})$/, 'a text, or one placeholder'),
    )
    .optional()
    .meta({
      description:
        'Parameters of the read. {since}: the moment before the write, UTC; {sinceDay}: its day; {from} and {to}: days around it and around the elements of `days`; {day.Element}: the day in an element of the message.',
    }),
  days: elements('Elements of the message whose days lie between {from} and {to}.'),
  at: element
    .optional()
    .meta({ description: 'A list inside the record that is read: its entries are looked at.' }),
};

const compared = {
  same: z
    .record(elementPath, elementPath)
    .optional()
    .meta({ description: 'Where the record shows an element of the message, when not under its own name.' }),
  besides: elements('Elements of the message that the record does not show.'),
  fills: elements('Texts that the service may fill where the message says nothing of them.'),
};

/** A row `settle` as written in the file. */
export const settleSchema = z.union([
  z.strictObject({ none: z.string().min(10).meta({ description: 'Why nothing tells what came of it.' }) }),
  z.strictObject({
    list: read.meta({ description: 'Shows what came into being.' }),
    ...found,
    by: z
      .array(element)
      .min(1)
      .meta({ description: 'Elements by which a record may be the one that was made.' }),
    ...compared,
    record: read.optional().meta({
      description:
        'The single record, for the reply; left out where the list shows it in the form of the reply.',
    }),
  }),
  z.strictObject({
    read: read.meta({ description: 'Shows the record that was changed.' }),
    ...found,
    find: element
      .optional()
      .meta({ description: 'In a list: the element of message and record that names the one.' }),
    ...compared,
    entries: element.optional().meta({
      description: 'An element that the message repeats: each has to stand in the list, by its ID or UUID.',
    }),
    is: z
      .record(element, z.string())
      .optional()
      .meta({ description: 'What the record shows once it is done.' }),
  }),
  z.strictObject({
    gone: read.meta({ description: 'Finds nothing once it is done; a list that is empty then.' }),
    is: z.record(element, z.string()).optional().meta({ description: 'What it may show instead.' }),
  }),
]);

/** See `settleSchema`. */
export type SettleSource = z.infer<typeof settleSchema>;
