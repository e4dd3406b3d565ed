import type { Mapping } from './model.ts';

/**
 * A mapping that is compiled on first use; errors of `compile` are thrown then. `kindsAlone`: the kinds, which do not need
 * the rest.
 */
export function onDemand(compile: () => Mapping, kindsAlone?: () => Mapping['kinds']): Mapping {
  let compiled: Mapping | undefined;
  let kinds: Mapping['kinds'] | undefined;
  const mapping = (): Mapping => (compiled ??= compile());
  return {
    get methods() {
      return mapping().methods;
    },
    get local() {
      return mapping().local;
    },
    get kinds() {
      return (kinds ??= compiled === undefined && kindsAlone ? kindsAlone() : mapping().kinds);
    },
    get parts() {
      return mapping().parts;
    },
    get generic() {
      return mapping().generic;
    },
    get v2() {
      return mapping().v2;
    },
    get digest() {
      return mapping().digest;
    },
  };
}
