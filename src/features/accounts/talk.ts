/** Kind of the timeline entry with what came of a talk to the customer. */
export const TALK = 'talk';
