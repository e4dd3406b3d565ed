import { Applications, DEFAULT_APPLICATION, type ApplicationClient } from '../../src/upstream/application.ts';

/** No application but the default one. */
export const only = <Client extends ApplicationClient>(client: Client): Applications<Client> =>
  new Applications(new Map([[DEFAULT_APPLICATION, client]]));

/** The same, as a vault takes it. */
export const onlyClient = (client: ApplicationClient): ReadonlyMap<string, ApplicationClient> =>
  new Map([[DEFAULT_APPLICATION, client]]);
