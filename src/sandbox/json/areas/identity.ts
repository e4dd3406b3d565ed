import { z } from 'zod';
import { area, one, shape } from '../operation/operation.ts';
import { notFound } from '../operation/refusal.ts';
import { id, text } from '../record/values.ts';

/** Unlike every other operation, this one answers in PascalCase. */
const me = shape(
  'Me',
  z.strictObject({
    User: z.strictObject({ UUID: id, Name: text, Email: text }),
    Organization: z.strictObject({ UUID: id, Name: text }),
  }),
);

export const identity = area('Identity', [
  one({
    id: 'v2.me.get',
    method: 'GET',
    path: '/me',
    summary: 'Current user and organisation context',
    notes: '`Organization.UUID` tells which organisation the header selected.',
    response: me,
    serve: async ({ person, organisation }) => {
      if (!person) throw notFound('user');
      return {
        User: { UUID: person.id, Name: person.name, Email: person.email },
        Organization: { UUID: organisation.id, Name: organisation.name },
      };
    },
  }),
]);
