import { MappingFaults } from '../../mapping/compile/fault.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import type { Settings } from '../settings/model.ts';

/**
 * The mapping with the settings' default routes. Throws `MappingFaults` for methods that cannot be routed
 * that way.
 */
export function routed(mapping: Mapping, chosen: Settings['routes']): Mapping {
  const faults = Array.from(chosen).flatMap(([id, endpoint]) => {
    const method = mapping.methods.find((candidate) => candidate.id === id);
    if (method === undefined) return [`there is no method ${id}`];
    return endpoint === 'v2' && method.v2?.way !== 'steps' ? [`${id} has no steps for V2`] : [];
  });
  if (faults.length > 0)
    throw new MappingFaults(faults.map((rule) => ({ file: 'CAUSEWAY_ROUTES', line: 1, rule })));
  const methods = mapping.methods.map((method) => ({
    ...method,
    route: chosen.get(method.id) ?? method.route,
  }));
  return { ...mapping, methods };
}
