import { z } from 'zod';
import { csvFile } from '../csv-list.ts';
import { messageColumns, messageKinds } from '../../../features/campaign/outbox.ts';
import { accountIn, endpoint, type Endpoint } from '../endpoint.ts';
import { orNull } from '../shapes.ts';

const texts = endpoint({
  id: 'listTexts',
  verb: 'GET',
  path: '/letters',
  area: 'Campaign',
  summary: 'The texts of the campaign by language and kind, with their placeholders',
  scope: 'read',
  reply: {
    name: 'TextList',
    schema: z.strictObject({
      texts: z.array(
        z.strictObject({
          language: z.string(),
          kind: z.enum(messageKinds),
          subject: z.string(),
          preheader: z.string(),
          heading: z.string(),
          body: z.array(z.string()),
          button: z.string().nullable().describe('null: the message asks for nothing'),
        }),
      ),
    }),
  },
  handle: async ({ admin }) => ({
    texts: admin.messages.texts().map((text) => ({ ...text, button: orNull(text.button) })),
  }),
});

const message = endpoint({
  id: 'previewLetter',
  verb: 'GET',
  path: '/accounts/{account}/letters/{kind}',
  area: 'Campaign',
  summary: 'Shows a message as it would be sent to the account now; its links do not work',
  scope: 'read',
  query: z.strictObject({
    language: z.string().max(40).optional().describe("Instead of the account's own"),
  }),
  reply: {
    name: 'LetterPreview',
    schema: z.strictObject({
      kind: z.enum(messageKinds),
      language: z.string(),
      to: z.string().nullable(),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
    }),
  },
  async handle({ admin, path, query }) {
    const account = await admin.accounts.find(accountIn(path));
    const preview = await admin.messages.preview(path.kind ?? '', account.id, query.language);
    return { ...preview, to: orNull(preview.to) };
  },
});

export const messageOperations: readonly Endpoint[] = [
  csvFile({
    ...{ id: 'listMessagesCsv', path: '/accounts/{account}/messages.csv', area: 'Campaign' },
    ...{ name: 'MessageCsv', file: 'messages.csv', columns: messageColumns },
    rows: async ({ admin, path }) => (await admin.accounts.page(accountIn(path))).messages,
  }),
  texts,
  message,
];
