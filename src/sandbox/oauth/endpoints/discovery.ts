import type { Request, Response } from 'express';
import type { Protocol } from '../../protocol.ts';

/** `/.well-known/openid-configuration`. */
export function discovery(publicUrl: string, protocol: () => Protocol) {
  return (_request: Request, response: Response): void => {
    const { scopes, credentials } = protocol();
    const methods = { any: ['client_secret_basic', 'client_secret_post'], basic: ['client_secret_basic'] };
    const supported = credentials === 'body' ? ['client_secret_post'] : methods[credentials];
    response.json({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/identity/connect/authorize`,
      token_endpoint: `${publicUrl}/connect/token`,
      revocation_endpoint: `${publicUrl}/connect/revocation`,
      jwks_uri: `${publicUrl}/.well-known/openid-configuration/jwks`,
      scopes_supported: ['openid', 'profile', 'email', scopes.service, scopes.practice, 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: supported,
      // Without it a client has to assume that client_secret_basic is the only method (RFC 8414, section 2).
      revocation_endpoint_auth_methods_supported: supported,
      code_challenge_methods_supported: ['S256'],
      claims_supported: [
        'sub',
        'user_id',
        'given_name',
        'family_name',
        'name',
        'email',
        'email_verified',
        'org_ids',
        'org_id',
      ],
    });
  };
}
