/** Kind of the timeline entry for the notes of a conversation with the customer. */
export const TALK = 'talk';
