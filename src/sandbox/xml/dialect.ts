import type { SandboxCaller } from '../identity/organisation.ts';

/** `id`: numbers, as in V1. `both`: V1 in transition mode. `uuid`: V3. */
export type IdForm = 'id' | 'both' | 'uuid';

/**
 * How answers to this call are spelled; decided once per call from the surface, the organisation and the
 * query.
 */
export interface Dialect {
  readonly ids: IdForm;
  /** Identifiers of custom field definitions and values. */
  readonly customFieldIds: 'both' | 'id' | 'uuid';
  readonly practice: false | 'NZ' | 'AU';
  readonly webUrl: 'off' | 'numeric' | 'uuid';
  /** Lists are split into pages if a paging parameter is sent. */
  readonly isPaged: boolean;
}

/**
 * Determines how to write the XML for this caller: by surface, transition mode and the switches of the
 * organisation.
 */
export function dialectOf(caller: SandboxCaller, isTransition: boolean): Dialect {
  const { switches } = caller.organisation;
  const ids = idForm(caller, isTransition);
  return {
    ids,
    customFieldIds: customFieldIds(ids, switches.customFieldIds),
    practice: switches.practice,
    webUrl: switches.webUrl,
    isPaged: caller.surface === 'v3',
  };
}

function idForm(caller: SandboxCaller, isTransition: boolean): IdForm {
  const { switches } = caller.organisation;
  if (caller.surface === 'v3') return switches.v3Identifiers === 'uuid' ? 'uuid' : 'id';
  return isTransition || switches.transition ? 'both' : 'id';
}

/**
 * On V3 custom fields have only their UUID; V1 prints both identifiers by default, because programs look for
 * either.
 */
function customFieldIds(ids: IdForm, chosen: 'both' | 'id' | 'uuid'): 'both' | 'id' | 'uuid' {
  if (ids === 'uuid') return 'uuid';
  return ids === 'both' ? 'both' : chosen;
}

/** `ClientID` on V1, `ClientUUID` on V3; `ID` and `UUID` for the record's own. */
export const idElement = (ids: IdForm, of = ''): string => of + (ids === 'uuid' ? 'UUID' : 'ID');
