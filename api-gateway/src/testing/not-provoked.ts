/** Documented failures that no test can bring about, each with why. */
export const NOT_PROVOKED: ReadonlyMap<string, string> = new Map([])
