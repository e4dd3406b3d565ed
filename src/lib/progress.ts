/** Called with the current step, and its progress. */
export type Progress = (words: string, done: number, of: number) => void;
