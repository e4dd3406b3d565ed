import { expect, it } from '@jest/globals';
import { readClaims, tokenClaims } from '../../src/upstream/authorisation-server/token-answer.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object) => readClaims(`${part({ alg: 'none' })}.${part(claims)}.x`) ?? {};
const ana = 'ana@x.example';

it.each<
  readonly [access: object, identity: object | undefined, email: string | undefined, verified: boolean]
>([
  [{}, { email: ana, email_verified: true }, ana, true],
  [{}, { email: ana, email_verified: 'true' }, ana, true],
  [{}, { email: ana, email_verified: false }, ana, false],
  [{}, { email: ana, email_verified: 'false' }, ana, false],
  [{}, { email: ana, email_verified: 1 }, ana, false],
  [{}, { email: ana }, ana, false],
  [{ email: ana, email_verified: true }, undefined, ana, true],
  [{ email: ana, email_verified: true }, {}, ana, true],
  // What one token says is verified is not what the other names.
  [{ email: 'ben@x.example', email_verified: true }, { email: ana }, ana, false],
  [{ email: ana }, { email_verified: true }, ana, false],
  [{ email_verified: true }, { email_verified: true }, undefined, false],
])(
  'an access token %j and an identity token %j give the address %s, verified: %s',
  (access, identity, email, verified) => {
    const claims = tokenClaims(token(access), identity && token(identity));
    expect(claims.consenter.email).toBe(email);
    expect(email !== undefined && claims.emailVerified).toBe(verified);
  },
);
