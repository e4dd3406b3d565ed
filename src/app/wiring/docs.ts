import { join } from 'node:path';
import type { AdminService } from '../../features/admin/admin.ts';
import { docsRouter } from '../../http/docs/docs.ts';
import { Cookies } from '../../http/server/cookie.ts';
import { versionOf } from '../../lib/version.ts';
import { publicUrl } from './addresses.ts';
import type { Services } from './services.ts';

/** The pages are in the same place in a package as in a clone: in the folder that contains `src`. */
const folder = join(import.meta.dirname, '..', '..', '..');

/** The documentation of this version, for people signed in to the console. */
export const docsOf = (
  { settings }: Pick<Services, 'settings'>,
  { tokens }: Pick<AdminService, 'tokens'>,
): ReturnType<typeof docsRouter> =>
  docsRouter({
    folder,
    version: versionOf(folder),
    tokens,
    cookies: new Cookies(publicUrl(settings)),
    brand: settings.brand,
  });
