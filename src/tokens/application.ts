/**
 * The OAuth application of every account and grant so far. Tables carry its id, so that an integrator with two products
 * can have one application for each without a migration of keys; the rate limiter's keys are account ids, and an account
 * belongs to one application.
 */
export const DEFAULT_APPLICATION = 'default';
