import { createMediaQueryHook } from './media-query.ts'

/** Returns true if the window is too narrow for a table of five columns. */
export const useNarrowScreen = createMediaQueryHook('(max-width: 767px)')
