import type { ApiVersion } from './routes.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    route_overrides: RouteOverrideRow;
  }
}

/** An operator's choice of route for a method of one account, or of all (`EVERY_ACCOUNT`). */
export interface RouteOverrideRow {
  method: string;
  account_id: string;
  route: ApiVersion;
  at: number;
  actor: string;
}
