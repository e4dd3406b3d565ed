import { z } from 'zod';
import { type ConsoleToken, tokenScopes } from '../../../features/admin/tokens/token.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { isoOrNull, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const me = endpoint({
  id: 'whoAmI',
  verb: 'GET',
  path: '/me',
  area: 'Tokens',
  summary: 'Shows whose token this is and what it may do',
  scope: 'read',
  reply: {
    name: 'Me',
    schema: z.strictObject({ name: z.string(), scope: z.enum(tokenScopes) }),
  },
  handle: async ({ who, scope }) => ({ name: who, scope }),
});

const tokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(tokenScopes),
  createdAt: moment,
  lastUsedAt: perhaps(moment).describe('To the minute'),
  revokedAt: perhaps(moment),
  expiresAt: perhaps(moment).describe('It is invalid from then on'),
  subject: perhaps(z.string()).describe('Of a person at the OpenID provider; null: a token'),
});

const tokenOf = (token: ConsoleToken): z.infer<typeof tokenSchema> => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  createdAt: iso(token.createdAt),
  lastUsedAt: isoOrNull(token.lastUsedAt),
  revokedAt: isoOrNull(token.revokedAt),
  expiresAt: isoOrNull(token.expiresAt),
  subject: token.subject ?? null,
});

const tokens = endpoint({
  id: 'listTokens',
  verb: 'GET',
  path: '/tokens',
  area: 'Tokens',
  summary:
    'Named tokens, and people who have signed in by OpenID Connect, oldest first, including revoked ones',
  scope: 'read',
  reply: { name: 'TokenList', schema: z.strictObject({ tokens: z.array(tokenSchema) }) },
  handle: async ({ admin }) => ({ tokens: (await admin.tokens.list()).map(tokenOf) }),
});

const createToken = endpoint({
  id: 'createToken',
  verb: 'POST',
  path: '/tokens',
  area: 'Tokens',
  summary: 'Creates a token; it is shown once',
  scope: 'administer',
  status: 201,
  body: {
    name: 'NewToken',
    schema: z.strictObject({
      name: z.string(),
      scope: z.enum(tokenScopes),
      expiresAt: moment.optional().describe('If absent, it is valid until revoked'),
    }),
  },
  reply: {
    name: 'CreatedToken',
    schema: z.strictObject({ token: tokenSchema, secret: z.string().describe('Goes behind Bearer') }),
  },
  async handle({ admin, who, body }) {
    const { token, secret } = await admin.tokens.create(
      body.name,
      body.scope,
      who,
      body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt),
    );
    return { token: tokenOf(token), secret: secret.reveal() };
  },
});

const revokeToken = endpoint({
  id: 'revokeToken',
  verb: 'DELETE',
  path: '/tokens/{token}',
  area: 'Tokens',
  summary: 'Revokes a token or a person by id or name and ends their sessions',
  scope: 'administer',
  reply: { name: 'RevokedToken', schema: z.strictObject({ token: tokenSchema }) },
  handle: async ({ admin, path, who }) => ({
    token: tokenOf(await admin.revokeToken(path.token ?? '', who)),
  }),
});

const admitPerson = endpoint({
  id: 'admitPerson',
  verb: 'POST',
  path: '/tokens/{token}/admit',
  area: 'Tokens',
  summary: 'Allows a revoked person, by id or name, to sign in again; a revoked token stays revoked',
  scope: 'administer',
  reply: { name: 'AdmittedPerson', schema: z.strictObject({ token: tokenSchema }) },
  handle: async ({ admin, path, who }) => ({
    token: tokenOf(await admin.admitPerson(path.token ?? '', who)),
  }),
});

export const tokenOperations: readonly Endpoint[] = [me, tokens, createToken, revokeToken, admitPerson];
