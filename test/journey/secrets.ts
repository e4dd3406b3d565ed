import { DatabaseSync } from 'node:sqlite';

/** Every token, code and signing secret that a sandbox has ever issued, from its own database. */
export function issuedSecrets(sandboxDatabase: string): readonly string[] {
  const database = new DatabaseSync(sandboxDatabase, { readOnly: true });
  try {
    const codes = database.prepare('select code from oauth_codes').all();
    const tokens = database.prepare('select token, answer from oauth_refresh_tokens').all();
    const access = tokens.flatMap(({ answer }) => {
      const { access_token: token } = JSON.parse(String(answer)) as { readonly access_token: string };
      return [token, token.slice(token.lastIndexOf('.') + 1)];
    });
    return [...codes.map(({ code }) => String(code)), ...tokens.map(({ token }) => String(token)), ...access];
  } finally {
    database.close();
  }
}

/** The forms in which a secret may turn up in a log by mistake. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    base64,
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
}

/** Which of the secrets, in whatever form, stand in the text; told by their number, never by themselves. */
export function leaks(secrets: readonly string[], text: string): readonly number[] {
  return secrets.flatMap((secret, index) =>
    formsOf(secret).some((form) => text.includes(form)) ? [index] : [],
  );
}
