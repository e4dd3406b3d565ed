/**
 * The OAuth application of every account and grant so far. Tables have its id, so that an integrator with two
 * products can have one application for each without migrating keys. The rate limiter's keys are account ids,
 * and an account belongs to one application.
 */
export const DEFAULT_APPLICATION = 'default';
