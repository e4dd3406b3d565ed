import type { Mapping } from './model.ts';

/** A mapping that is compiled on first use; errors of `compile` are thrown then. */
export function onDemand(compile: () => Mapping): Mapping {
  let compiled: Mapping | undefined;
  const mapping = (): Mapping => (compiled ??= compile());
  return {
    get methods() {
      return mapping().methods;
    },
    get local() {
      return mapping().local;
    },
    get kinds() {
      return mapping().kinds;
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
