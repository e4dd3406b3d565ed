import { OpenIdProvider } from '../../../features/admin/tokens/openid/provider.ts';
import { OpenIdSignIn } from '../../../features/admin/tokens/openid/openid-sign-in.ts';
import type { Tokens } from '../../../features/admin/tokens/tokens.ts';
import { OPENID_CALLBACK_PATH, publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';

/** Sign-in to the console at an OpenID provider; undefined: none is configured. */
export function openIdOf(
  { settings, clock, random, ring }: Services,
  tokens: Tokens,
): { readonly signIn: OpenIdSignIn; readonly seal: Services['ring'] } | undefined {
  const { openId } = settings;
  if (openId === undefined) return undefined;
  const signIn = new OpenIdSignIn({
    provider: new OpenIdProvider(openId, clock),
    roles: openId.roles,
    life: openId.life,
    tokens,
    random,
    redirectUri: `${publicUrl(settings)}${OPENID_CALLBACK_PATH}`,
    home: `${publicUrl(settings)}/_causeway/console/sign-in`,
  });
  return { signIn, seal: ring };
}
